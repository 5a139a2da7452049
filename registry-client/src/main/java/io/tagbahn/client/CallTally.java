// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.util.concurrent.atomic.LongAdder;

/** Where a client counts what it does. */
final class CallTally {

    final LongAdder calls = new LongAdder();
    final LongAdder attempts = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder succeeded = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder retriesRefused = new LongAdder();
    final LongAdder rejected = new LongAdder();
    final LongAdder throttled = new LongAdder();
    final LongAdder held = new LongAdder();
    final LongAdder heldBack = new LongAdder();
    final LongAdder refreshes = new LongAdder();
    final LongAdder refreshesFailed = new LongAdder();
    final LongAdder staleAnswers = new LongAdder();

    CallCounters counters(NodePicker nodes) {
        return new CallCounters(
                calls.sum(),
                attempts.sum(),
                retries.sum(),
                succeeded.sum(),
                failed.sum(),
                retriesRefused.sum(),
                rejected.sum(),
                throttled.sum(),
                held.sum(),
                heldBack.sum(),
                nodes.ejections(),
                refreshes.sum(),
                refreshesFailed.sum(),
                staleAnswers.sum(),
                nodes.size());
    }
}
