// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

/**
 * What a client has done since it was made, in numbers that only grow; apart from {@code nodes}, which is as of now.
 *
 * @param calls to the registry, however many attempts each took
 * @param attempts calls to a node
 * @param retries attempts after the first of their call
 * @param succeeded calls that ended with an answer, also an error that the registry gave as its answer
 * @param failed calls that ended because no node could answer them
 * @param retriesRefused repetitions that the budget had no room for
 * @param rejected attempts that a node rejected for overload
 * @param throttled attempts not made because the registry rejects most calls
 * @param held calls that waited because the registry had asked for time
 * @param heldBack calls that failed at once because the registry had asked for more time than they had
 * @param ejections nodes taken out of the choice for a while
 * @param refreshes kept answers asked for anew in the background
 * @param refreshesFailed those of them that brought nothing that could be used
 * @param staleAnswers kept answers handed out in place of one that the registry could not give
 * @param nodes nodes that calls may go to
 */
public record CallCounters(
        long calls,
        long attempts,
        long retries,
        long succeeded,
        long failed,
        long retriesRefused,
        long rejected,
        long throttled,
        long held,
        long heldBack,
        long ejections,
        long refreshes,
        long refreshesFailed,
        long staleAnswers,
        int nodes) {}
