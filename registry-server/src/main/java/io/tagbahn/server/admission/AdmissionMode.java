// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import java.util.Locale;

/** Whether decisions are taken, and whether they hold. */
public enum AdmissionMode {
    /** Every call is begun, and nothing is counted. */
    OFF,
    /** Decisions are taken and counted, and every call is begun all the same. */
    OBSERVE,
    /** A call that is refused is not begun. */
    ENFORCE;

    /** As settings spell it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
