// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.util.List;

/**
 * What a {@link Caller} has counted since it was opened.
 *
 * @param calls that were asked for; each ends as one of the outcomes
 * @param answered successfully
 * @param failed with the host's answer, or inside the caller
 * @param outcomeUnknown sent, and no good answer came
 * @param notSent no host could be reached
 * @param hostRejected rejected by the hosts
 * @param noHosts no host was known
 * @param deadlineExceeded before they were sent
 * @param bulkheadFull rejected because of too many calls under way
 * @param breakersOpen rejected because every host fails
 * @param throttled rejected because the hosts reject most calls
 * @param attempts at hosts
 * @param retries attempts but the first of each call
 * @param budgetSpent calls that were not repeated because the budget was used up
 * @param breakersOpened times that a breaker opened
 * @param ejections times that a host was left out
 * @param attemptsByDistance at hosts on the same machine, in the same zone, in the same region, elsewhere
 */
public record CallCounters(
        long calls,
        long answered,
        long failed,
        long outcomeUnknown,
        long notSent,
        long hostRejected,
        long noHosts,
        long deadlineExceeded,
        long bulkheadFull,
        long breakersOpen,
        long throttled,
        long attempts,
        long retries,
        long budgetSpent,
        long breakersOpened,
        long ejections,
        List<Long> attemptsByDistance) {

    public CallCounters {
        attemptsByDistance = List.copyOf(attemptsByDistance);
    }

    /** Attempts for each call. */
    public double amplification() {
        return calls == 0 ? 0 : (double) attempts / calls;
    }
}
