// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

/** Is told what a {@link Caller} decides, on the thread that decided it: it may not block. */
@FunctionalInterface
public interface CallListener {

    /** Listens to nothing. */
    CallListener NONE = event -> {};

    void on(CallEvent event);
}
