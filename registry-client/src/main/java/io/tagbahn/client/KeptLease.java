// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.RegistryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** All that the {@link LeaseKeeper} knows of one registration; touched by the keeper's thread only. */
final class KeptLease {

    /** Updates of one registration that wait for the registry's answer. */
    static final int UPDATES_WAITING_MAX = 1_000;

    /** Someone who waits until the registry has taken a generation, or a later one. */
    private record Waiter(long generation, CompletableFuture<LeaseGrant> answer) {}

    final Registration handle;
    final RegistrationListener listener;

    /** The newest data: whatever is sent next. */
    LeaseData wanted;
    /** The data that the registry took last. */
    Optional<LeaseData> accepted = Optional.empty();

    Optional<LeaseGrant> grant = Optional.empty();
    RegistrationState state = RegistrationState.REGISTERING;
    /** True from a grant until the registry says that it does not know the lease: such a lease gets heartbeats. */
    boolean known;
    /** The highest generation that may have reached the registry; 0 where none was sent. */
    long generationSent;
    /** When the call was sent by which the lease was last renewed. */
    long renewedAtNanos;
    /** At most one registering call is on its way, so that what follows it can be the newest. */
    boolean inFlight;
    /** Failures in a row. */
    int failures;
    /** Times in a row that the generation had to be raised above one that the registry knew. */
    int raises;

    Optional<Timer.Scheduled> retry = Optional.empty();

    private final Deque<Waiter> waiters = new ArrayDeque<>(); // generations ascend

    KeptLease(Registration handle, RegistrationListener listener, LeaseData wanted) {
        this.handle = handle;
        this.listener = listener;
        this.wanted = wanted;
    }

    void cancelRetry() {
        retry.ifPresent(Timer.Scheduled::cancel);
        retry = Optional.empty();
    }

    /** @return false where too many wait already */
    boolean await(long generation, CompletableFuture<LeaseGrant> answer) {
        waiters.removeIf(waiter -> waiter.answer().isDone()); // those whose time was over
        return waiters.size() < UPDATES_WAITING_MAX && waiters.add(new Waiter(generation, answer));
    }

    void complete(long generation, LeaseGrant answer) {
        for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
            Waiter waiter = each.next();
            if (waiter.generation() <= generation) {
                each.remove();
                waiter.answer().complete(answer);
            }
        }
    }

    void fail(long generation, RegistryException error) {
        for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
            Waiter waiter = each.next();
            if (waiter.generation() <= generation) {
                each.remove();
                waiter.answer().completeExceptionally(error);
            }
        }
    }

    /** Lets the handle show what is now the case. */
    void show() {
        handle.show(new Registration.View(wanted.instance(), wanted.tags(), state, grant));
    }
}
