// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import java.util.List;

/** Something that has become of an instance, told to a node that has to know it; idempotent, in any order. */
public sealed interface Change {

    InstanceId id();

    long generation();

    /**
     * The whole record of a registration, for a home.
     *
     * @param entries the service name and all tags, sorted and distinct
     * @param leaseMillis how long the lease is
     * @param leftMillis what was left of it when this was sent
     * @param origin a hash of the replacement that it goes back to: parts of one generation unite where they have the
     *     same one, else one of them stands
     */
    record RecordCopy(
            Instance instance,
            List<String> entries,
            long generation,
            int leaseMillis,
            long leftMillis,
            Word word,
            long origin)
            implements Change {

        public RecordCopy {
            checkGeneration(generation);
            if (leaseMillis < 1) {
                throw new IllegalArgumentException("leaseMillis " + leaseMillis + " < 1");
            }
            entries = List.copyOf(entries);
        }

        @Override
        public InstanceId id() {
            return instance.id();
        }

        /** The same when it is sent so much later. */
        public RecordCopy after(long millis) {
            return new RecordCopy(
                    instance, entries, generation, leaseMillis, Math.max(0, leftMillis - millis), word, origin);
        }
    }

    /**
     * An instance and those of its entries that the receiver owns.
     *
     * @param entries sorted and distinct; empty where the receiver owns none any more
     * @param origin that of the record
     */
    record PostedCopy(Instance instance, List<String> entries, long generation, Word word, long origin)
            implements Change {

        public PostedCopy {
            checkGeneration(generation);
            entries = List.copyOf(entries);
        }

        @Override
        public InstanceId id() {
            return instance.id();
        }
    }

    /**
     * The end of a registration.
     *
     * @param generation up to which the instance is gone
     * @param ended whether its lease ended; otherwise somebody deregistered it
     * @param keptMillis how much longer it is to be remembered; the receiver remembers nothing longer than it does by
     *     itself
     */
    record Removal(InstanceId id, long generation, boolean ended, long keptMillis) implements Change {

        public Removal {
            if (keptMillis < 0) {
                throw new IllegalArgumentException("keptMillis " + keptMillis + " < 0");
            }
        }

        /** One that has just come about. */
        public Removal(InstanceId id, long generation, boolean ended) {
            this(id, generation, ended, Long.MAX_VALUE);
        }
    }

    private static void checkGeneration(long generation) {
        if (generation < 1) {
            throw new IllegalArgumentException("generation " + generation + " < 1");
        }
    }
}
