// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/**
 * A call that failed: one subtype for each decision that a caller can take.
 *
 * <p>Edges map each subtype once to the form of their protocol. Instances carry no stack trace: they are answers,
 * thrown on hot paths, and where they were made is of no use to the caller.
 */
public abstract sealed class RegistryException extends RuntimeException
        permits InvalidArgument,
                InvalidServiceName,
                NoPeersAvailable,
                NotFound,
                NotReady,
                OutcomeUnknown,
                Overloaded,
                RegistryFault,
                StaleGeneration,
                Unauthorized,
                Unreachable {

    RegistryException(String message) {
        super(message, null, false, false);
    }

    RegistryException(String message, Throwable cause) {
        super(message, cause, false, false);
    }
}
