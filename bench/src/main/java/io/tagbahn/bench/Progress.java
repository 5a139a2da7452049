// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

/** Who is told how far a measurement has come. */
@FunctionalInterface
public interface Progress {

    /**
     * Tells it.
     *
     * @param share that is done, by the time that it takes; 0 to 1
     * @param now what is going on
     */
    void at(double share, String now);
}
