// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Unreachable;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What an attempt's failure says of the call and of its host. */
public enum FailureKind {
    /** The host can't be reached, and has not got the call: may be repeated elsewhere whatever it does. */
    NOT_SENT,
    /** The host took no notice of the call because it is overloaded: may be repeated elsewhere whatever it does. */
    REJECTED,
    /** The host failed, or did not answer in time, and may have carried the call out. */
    HOST_FAILED,
    /** The host works, and its answer is a failure; nobody else would answer otherwise. */
    ANSWERED,
    /** Nothing is known of the host: the call was cancelled, or failed inside the caller. */
    CALLER_FAILED;

    /**
     * The kind where nothing else is said. Failures to connect are {@link #NOT_SENT}. Cancellation, interruption and the
     * exceptions of a mistaken program are {@link #CALLER_FAILED}. All others count as the host's.
     */
    public static FailureKind of(Throwable error) {
        Throwable cause = unwrap(error);
        if (cause instanceof NotSent
                || cause instanceof Unreachable
                || cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof UnknownHostException
                || cause instanceof UnresolvedAddressException
                || cause instanceof HttpConnectTimeoutException) {
            return NOT_SENT;
        }
        if (cause instanceof HostRejected || cause instanceof Overloaded || cause instanceof NotReady) {
            return REJECTED;
        }
        if (cause instanceof RegistryException) {
            return cause instanceof OutcomeUnknown || cause instanceof RegistryFault ? HOST_FAILED : ANSWERED;
        }
        if (cause instanceof CancellationException
                || cause instanceof InterruptedException
                || cause instanceof IllegalArgumentException
                || cause instanceof IllegalStateException
                || cause instanceof NullPointerException
                || cause instanceof CallFailure) {
            return CALLER_FAILED;
        }
        return HOST_FAILED;
    }

    /** Whether another host may be asked. */
    boolean mayGoElsewhere(Idempotency idempotency) {
        return this == NOT_SENT || this == REJECTED || (this == HOST_FAILED && idempotency == Idempotency.IDEMPOTENT);
    }

    /** The error without what stages and futures put around it. */
    static Throwable unwrap(Throwable error) {
        Throwable cause = error.getCause();
        return (error instanceof CompletionException || error instanceof ExecutionException) && cause != null
                ? unwrap(cause)
                : error;
    }
}
