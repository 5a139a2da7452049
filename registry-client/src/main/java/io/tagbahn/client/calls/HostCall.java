// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

/**
 * A call, as it is made to one host; blocks until the answer is there, no longer than {@link CalledHost#remaining}.
 *
 * <p>It says by its exception what became of the call; see {@link FailureKind}.
 *
 * @param <T> the kind of answer
 */
@FunctionalInterface
public interface HostCall<T> {

    T on(CalledHost host) throws Exception;
}
