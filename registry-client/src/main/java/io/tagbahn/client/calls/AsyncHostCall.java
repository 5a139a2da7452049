// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.util.concurrent.CompletionStage;

/**
 * A call, as it is made to one host; returns at once. A stage that is not complete after {@link CalledHost#remaining} is
 * cancelled and taken to have failed.
 *
 * <p>It says by its exception what became of the call; see {@link FailureKind}.
 *
 * @param <T> the kind of answer
 */
@FunctionalInterface
public interface AsyncHostCall<T> {

    CompletionStage<T> on(CalledHost host) throws Exception;
}
