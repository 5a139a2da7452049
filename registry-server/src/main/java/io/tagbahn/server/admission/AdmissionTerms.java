// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import io.tagbahn.model.Criticality;
import java.time.Duration;

/**
 * What a node goes by when it refuses calls.
 *
 * @param delayTarget how long calls may wait to be begun, on average, before some are refused
 * @param delayMax how long one of normal criticality may have waited, and half as long a sheddable one
 * @param criticalDelayMax the same for leases and what is critical besides
 * @param waitingMax calls that may wait for other nodes, at most
 */
public record AdmissionTerms(
        AdmissionMode mode, Duration delayTarget, Duration delayMax, Duration criticalDelayMax, int waitingMax) {

    public AdmissionTerms {
        if (delayTarget.isNegative() || delayTarget.isZero()) {
            throw new IllegalArgumentException("delayTarget " + delayTarget);
        }
        if (delayMax.compareTo(delayTarget) < 0 || criticalDelayMax.compareTo(delayMax) < 0) {
            throw new IllegalArgumentException(
                    "delayTarget " + delayTarget + ", delayMax " + delayMax + ", criticalDelayMax " + criticalDelayMax);
        }
        if (waitingMax < 1) {
            throw new IllegalArgumentException("waitingMax " + waitingMax + " < 1");
        }
    }

    /** How long a call may have waited when it is begun. */
    long delayNanosMax(Criticality criticality) {
        return switch (criticality) {
            case SHEDDABLE -> delayMax.toNanos() / 2;
            case NORMAL -> delayMax.toNanos();
            case CRITICAL -> criticalDelayMax.toNanos();
        };
    }

    /** How long calls are made to wait on average where too many of that criticality come. */
    long delayNanosTarget(Criticality criticality) {
        return switch (criticality) {
            case SHEDDABLE -> delayTarget.toNanos() / 2;
            case NORMAL -> delayTarget.toNanos();
            case CRITICAL -> Math.max(delayTarget.toNanos(), delayNanosBorne(criticality));
        };
    }

    /** How long calls may wait on average before any of that criticality is refused to make them wait less. */
    long delayNanosBorne(Criticality criticality) {
        return criticality == Criticality.CRITICAL ? criticalDelayMax.toNanos() / 4 : 0;
    }
}
