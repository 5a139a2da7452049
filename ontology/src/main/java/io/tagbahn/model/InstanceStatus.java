// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** Whether an instance is handed out; later constants are stricter. */
public enum InstanceStatus {
    UP,
    /** Finishes what it has, takes nothing new: not handed out. */
    DRAINING,
    /** Taken out: not handed out, whatever its heartbeats say. */
    OUT_OF_SERVICE;

    /** The stricter of what two sides say. */
    public InstanceStatus stricter(InstanceStatus other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
