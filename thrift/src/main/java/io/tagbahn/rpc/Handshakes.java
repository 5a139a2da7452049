// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The TLS handshakes of both sides, and what their failures mean. */
final class Handshakes {

    private Handshakes() {}

    /**
     * The handler of a new connection.
     *
     * <p>It signs and verifies on the event loop, half a millisecond for a handshake: on another thread, a failure may
     * come when the connection has gone, and Netty then logs a warning for each such connection of a stranger.
     */
    static SslHandler handler(RpcTls tls, Duration longest) {
        SslHandler handler = new SslHandler(tls.newEngine());
        handler.setHandshakeTimeoutMillis(longest.toMillis());
        return handler;
    }

    /** The failure of TLS behind what a channel reports; null where it is something else. */
    static @Nullable SSLException failure(Throwable cause) {
        Throwable failure = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        return failure instanceof SSLException broken ? broken : null;
    }

    static CloseReason reason(SSLException failure) {
        if (failure instanceof SslHandshakeTimeoutException) {
            return CloseReason.FIRST_FRAME_TIMEOUT;
        }
        return failure instanceof NotSslRecordException ? CloseReason.NOT_TLS : CloseReason.TLS_FAILED;
    }

    /** For the log: without the bytes that Netty's message has, which can be as many as the sender likes. */
    static String told(SSLException failure) {
        return failure instanceof NotSslRecordException
                ? "bytes that are no TLS, where only encrypted connections are taken"
                : String.valueOf(failure.getMessage());
    }
}
