// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;

/** The parts into which all nodes divide instances alike, to compare what they hold. */
public final class Buckets {

    /** A power of two. */
    public static final int COUNT = 1024;

    private static final int GOLDEN = 0x9E3779B9;
    private static final int SHIFT = Integer.numberOfLeadingZeros(COUNT) + 1;

    private Buckets() {}

    /** The bucket of an instance, 0..{@link #COUNT}-1; by the hash that the language lays down for texts. */
    public static int of(InstanceId id) {
        return (id.value().hashCode() * GOLDEN) >>> SHIFT;
    }
}
