// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.model.Unreachable;
import io.tagbahn.server.node.InvalidConfig;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.Optional;

/**
 * What a command says where it cannot do what it was asked for: here, and only here, are errors mapped to exit codes.
 *
 * @param hint what to do about it
 */
record Failure(int exitCode, String message, Optional<String> hint) {

    static Failure of(Throwable error) {
        String message = String.valueOf(error.getMessage());
        if (error instanceof UsageError || error instanceof InvalidArgument || error instanceof InvalidConfig) {
            return new Failure(ExitCode.USAGE, message, Optional.empty());
        }
        if (error instanceof InvalidServiceName invalid) {
            return new Failure(
                    ExitCode.USAGE, "service name '" + invalid.serviceName() + "': " + message, Optional.empty());
        }
        if (error instanceof StaleGeneration) {
            return new Failure(
                    ExitCode.USAGE,
                    message,
                    Optional.of("another process has registered this instance since; give this one another --id"));
        }
        if (error instanceof Unauthorized) {
            return new Failure(
                    ExitCode.USAGE, message, Optional.of("the registry wants a token that allows this call"));
        }
        if (error instanceof NotFound || error instanceof NoPeersAvailable) {
            return new Failure(ExitCode.NOTHING_FOUND, message, Optional.empty());
        }
        return unavailable(error, message);
    }

    private static Failure unavailable(Throwable error, String message) {
        if (error instanceof Unreachable) {
            return new Failure(
                    ExitCode.UNAVAILABLE,
                    message,
                    Optional.of("start a node with 'tagbahn serve', or name one with --registry HOST:PORT"));
        }
        if (error instanceof OutcomeUnknown) {
            return new Failure(
                    ExitCode.UNAVAILABLE,
                    message,
                    Optional.of("no answer in time: try again (it does no harm), or give it longer with --timeout 5s"));
        }
        if (error instanceof NotReady notReady) {
            return new Failure(ExitCode.UNAVAILABLE, message, Optional.of(later(notReady.retryAfter())));
        }
        if (error instanceof Overloaded overloaded) {
            return new Failure(
                    ExitCode.UNAVAILABLE,
                    message,
                    Optional.of(
                            switch (overloaded.signal()) {
                                case TRY_ELSEWHERE -> "this node is busy: name another one with --registry HOST:PORT";
                                case RETRY_AFTER -> later(overloaded.retryAfter());
                                case STOP -> "the registry is busy and asks not to try again";
                            }));
        }
        if (error instanceof RegistryFault) {
            return new Failure(
                    ExitCode.UNAVAILABLE,
                    message,
                    Optional.of("is there a Tagbahn node at that address? Its log may tell more"));
        }
        if (error instanceof UncheckedIOException io) {
            return ofSystem(io);
        }
        if (error instanceof OutputFailure) {
            return new Failure(ExitCode.UNAVAILABLE, message, Optional.empty());
        }
        return new Failure(
                ExitCode.UNAVAILABLE,
                error.getClass().getSimpleName() + ": " + message,
                Optional.of("this should not happen; run it again with -v to see where it came from"));
    }

    /** What the operating system refused: a port, a file. */
    private static Failure ofSystem(UncheckedIOException error) {
        Throwable cause = error.getCause();
        String message = String.valueOf(error.getMessage());
        if (cause != null && message.equals(cause.toString())) {
            message = String.valueOf(cause.getMessage());
        }
        Throwable root = error;
        for (Throwable next = cause; next != null; next = next.getCause()) {
            root = next;
        }
        String reason = String.valueOf(root.getMessage());
        if (!message.contains(reason)) {
            message = message + ": " + reason;
        }
        return new Failure(
                ExitCode.UNAVAILABLE,
                message,
                root instanceof BindException
                        ? Optional.of("choose another address or port with --listen HOST:PORT")
                        : Optional.empty());
    }

    private static String later(Optional<Duration> after) {
        return "try again " + after.map(wait -> "in " + wait.toMillis() + " ms").orElse("in a moment");
    }
}
