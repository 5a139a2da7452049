// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.RegistryException;

/**
 * Is told of answers that change, on the thread {@code tagbahn-client-callbacks}.
 *
 * @param <A> the kind of answer
 */
public interface WatchListener<A> {

    /** The whole present answer: the first one, and each that differs from the one told before. */
    void changed(A answer);

    /** The registry can't be asked at the moment; the watch goes on, and what was told last may be old. */
    default void failed(RegistryException error) {}
}
