// SPDX-License-Identifier: Apache-2.0
/**
 * Who is in the cluster: SWIM with Lifeguard as a state machine that does no I/O, reads no clock and has no threads.
 *
 * <p>{@link io.tagbahn.server.swim.SwimMachine} takes bytes, times and results in and gives {@link
 * io.tagbahn.server.swim.Effect effects} out. One thread owns it.
 *
 * <p>Sources: Das, Gupta, Motivala, "SWIM: Scalable Weakly-consistent Infection-style Process Group Membership
 * Protocol" (DSN 2002); Dadgar, Phillips, Currey, "Lifeguard: Local Health Awareness for More Accurate Failure
 * Detection" (DSN 2018).
 */
@NullMarked
package io.tagbahn.server.swim;

import org.jspecify.annotations.NullMarked;
