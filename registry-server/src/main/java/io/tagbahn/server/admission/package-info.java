// SPDX-License-Identifier: Apache-2.0
/**
 * Which calls a node takes on when more come than it can answer.
 *
 * <p>{@link io.tagbahn.server.admission.LoopAdmission} watches how long calls wait for the thread that serves them, {@link
 * io.tagbahn.server.admission.WaitingLimit} how long those take that wait for other nodes.
 *
 * <p>Sources: Nichols, Jacobson, "Controlling Queue Delay" (ACM Queue 2012), for the signal, time spent waiting, and the
 * patience with short bursts; Zhou et al., "Overload Control for Scaling WeChat Microservices" (SoCC 2018), for shares by
 * priority; Cho et al., "Overload Control for µs-scale RPCs with Breakwater" (OSDI 2020), for a limit that follows the
 * measured rate of service; Netflix' concurrency-limits, for the comparison of recent with lasting latency.
 */
@NullMarked
package io.tagbahn.server.admission;

import org.jspecify.annotations.NullMarked;
