// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Signal;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps a client's registrations: registers them, registers them again where the registry lost them, deregisters
 * them. The {@link Heartbeat} tells it what was lost.
 *
 * <p>One thread, the timer's, owns all state. Of one registration at most one registering call is on its way; it always
 * carries the newest data, and where newer ones came meanwhile they follow at once.
 */
final class LeaseKeeper {

    /** Deregistrations on their way at one time while closing. */
    static final int DEREGISTERING_MAX = 256;

    private static final int RAISES_MAX = 3;
    private static final Duration RETRY_MIN = Duration.ofMillis(100);
    /** Bound of the wait before a registration is tried again, where no heartbeat interval is known yet. */
    private static final Duration RETRY_MAX = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

    private final RegisteringCalls calls;
    private final Heartbeat heartbeat;
    private final RegistryClientConfig config;
    private final Timer timer;
    private final Callbacks callbacks;
    private final Generations generations;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    /** The registrations that have not ended; added by any thread, else touched by the timer's only. */
    private final Map<InstanceId, KeptLease> leases = new ConcurrentHashMap<>();

    private volatile boolean closed;

    LeaseKeeper(
            CallGuard guard,
            RegistryClientConfig config,
            Timer timer,
            Callbacks callbacks,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random) {
        this.calls = new RegisteringCalls(guard, config, nanos);
        this.config = config;
        this.timer = timer;
        this.callbacks = callbacks;
        this.generations = new Generations(clock);
        this.nanos = nanos;
        this.random = random;
        this.heartbeat = new Heartbeat(guard, config, timer, nanos, random, this);
    }

    /**
     * Begins to keep a registration; {@link Registration#firstAnswer} tells how that went.
     *
     * @throws IllegalStateException where the client keeps this instance already, or too many
     */
    Registration keep(Instance instance, List<Tag> tags, RegistrationListener listener) {
        Registration handle = new Registration(this, listener, new LeaseData(instance, tags, generations.next()));
        KeptLease lease = handle.lease();
        lease.await(lease.wanted.generation(), handle.firstAnswer());
        synchronized (leases) {
            if (closed) {
                throw new Unreachable("the client is closed");
            }
            int max = config.lease().registrationsMax();
            if (leases.size() >= max) {
                throw new IllegalStateException(max + " registrations are kept already (lease.registrationsMax)");
            }
            if (leases.putIfAbsent(instance.id(), lease) != null) {
                throw new IllegalStateException(
                        "this client keeps " + instance.id() + " registered already: update it");
            }
        }
        post(() -> send(lease));
        return handle;
    }

    CompletableFuture<LeaseGrant> update(KeptLease lease, Instance instance, List<Tag> tags) {
        return update(lease, now -> new LeaseData(instance, tags, generations.next()));
    }

    CompletableFuture<LeaseGrant> update(KeptLease lease, Instance instance) {
        return update(lease, now -> new LeaseData(instance, now.tags(), generations.next()));
    }

    CompletableFuture<LeaseGrant> updateTags(KeptLease lease, List<Tag> tags) {
        return update(lease, now -> new LeaseData(now.instance(), tags, generations.next()));
    }

    private CompletableFuture<LeaseGrant> update(KeptLease lease, Function<LeaseData, LeaseData> change) {
        CompletableFuture<LeaseGrant> answer = new CompletableFuture<>();
        boolean posted = post(() -> {
            if (lease.state.isFinal()) {
                answer.completeExceptionally(ended(lease));
                return;
            }
            LeaseData wanted = change.apply(lease.wanted);
            if (!lease.await(wanted.generation(), answer)) {
                answer.completeExceptionally(new Overloaded(
                        KeptLease.UPDATES_WAITING_MAX + " updates of "
                                + wanted.instance().id() + " wait already",
                        Signal.RETRY_AFTER,
                        Optional.of(RETRY_MIN)));
                return;
            }
            lease.wanted = wanted;
            lease.show();
            send(lease);
        });
        if (!posted) {
            answer.completeExceptionally(new Unreachable("the client is closed"));
        }
        return answer;
    }

    /** Ends a registration; of one that has ended already, done. */
    CompletableFuture<Void> deregister(KeptLease lease, Duration timeout) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean posted = post(() -> end(lease, timeout).whenComplete((nothing, error) -> {
            if (error == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(Failures.unwrap(error));
            }
        }));
        if (!posted) {
            done.complete(null); // closing the client has ended it
        }
        return done;
    }

    /**
     * Ends a registration that was not granted in time. The instance may be kept anew at once; the registry is told in the
     * background, because the registration may have got through after all.
     */
    void abandon(KeptLease lease) {
        leases.remove(lease.handle.id(), lease);
        CompletionStage<Void> told = deregister(lease, closeTimeout());
        told.whenComplete((nothing, error) -> {
            if (error != null) {
                log.debug("{} was given up, and may be registered until its lease lapses", lease.handle.id(), error);
            }
        });
    }

    /** Ends all registrations; completes when each has been answered or has failed, within about the timeout. */
    CompletableFuture<Void> close(Duration timeout) {
        synchronized (leases) {
            closed = true;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean posted = post(() -> {
            heartbeat.stop();
            Queue<KeptLease> rest = new ArrayDeque<>(leases.values());
            long deadlineNanos = nanos.getAsLong() + timeout.toNanos();
            int[] running = {0};
            endSome(rest, running, deadlineNanos, done);
        });
        if (!posted) {
            done.complete(null);
        }
        return done;
    }

    private void endSome(Queue<KeptLease> rest, int[] running, long deadlineNanos, CompletableFuture<Void> done) {
        while (!rest.isEmpty() && running[0] < DEREGISTERING_MAX) {
            KeptLease lease = rest.remove();
            running[0]++;
            Duration left = Duration.ofNanos(Math.max(1, deadlineNanos - nanos.getAsLong()));
            end(lease, left)
                    .whenComplete((nothing, error) -> post(() -> {
                        if (error != null) {
                            log.warn(
                                    "{} could not be deregistered, its lease will lapse: {}",
                                    lease.wanted.instance().id().value(),
                                    Failures.unwrap(error).getMessage());
                        }
                        running[0]--;
                        endSome(rest, running, deadlineNanos, done);
                    }));
        }
        if (rest.isEmpty() && running[0] == 0) {
            done.complete(null);
        }
    }

    private CompletionStage<Void> end(KeptLease lease, Duration timeout) {
        if (lease.state.isFinal()) {
            return CompletableFuture.completedFuture(null);
        }
        finish(lease, RegistrationState.CLOSED, new Unreachable("the registration was closed"));
        // The highest generation that was sent: what is still on its way is then too old to bring the instance back.
        return lease.generationSent == 0
                ? CompletableFuture.completedFuture(null)
                : calls.deregister(new LeaseRef(lease.wanted.instance().id(), lease.generationSent), timeout);
    }

    // ------------------------------------------------------------ registering

    private void send(KeptLease lease) {
        lease.cancelRetry();
        if (lease.inFlight || lease.state.isFinal()) {
            return;
        }
        LeaseData sent = lease.wanted;
        lease.inFlight = true;
        lease.generationSent = Math.max(lease.generationSent, sent.generation());
        long sentAtNanos = nanos.getAsLong();
        calls.register(sent)
                .whenComplete((grant, error) -> post(() -> {
                    lease.inFlight = false;
                    if (lease.state.isFinal()) {
                        return;
                    }
                    if (error == null) {
                        granted(lease, sent, sentAtNanos, grant);
                    } else {
                        failed(lease, sent, Failures.of(error));
                    }
                }));
    }

    private void granted(KeptLease lease, LeaseData sent, long sentAtNanos, LeaseGrant grant) {
        RegistrationState before = lease.state;
        lease.accepted = Optional.of(sent);
        lease.grant = Optional.of(grant);
        lease.known = true;
        lease.renewedAtNanos = sentAtNanos;
        lease.failures = 0;
        lease.raises = 0;
        lease.state = RegistrationState.REGISTERED;
        lease.show();
        lease.complete(sent.generation(), grant);
        lease.handle.firstGrant().complete(grant);
        if (before == RegistrationState.REGISTERING) {
            log.info(
                    "{} registered under {} tags",
                    sent.instance().id().value(),
                    sent.tags().size());
            callbacks.tell(() -> lease.listener.onRegistered(lease.handle, grant));
        } else if (before == RegistrationState.LOST) {
            log.info("{} registered again", sent.instance().id().value());
            callbacks.tell(() -> lease.listener.onReregistered(lease.handle));
        }
        if (lease.wanted.generation() > sent.generation()) {
            send(lease);
        }
        heartbeat.soon(grant);
    }

    private void failed(KeptLease lease, LeaseData sent, RegistryException error) {
        if (error instanceof StaleGeneration stale) {
            stale(lease, sent, stale);
        } else if (error instanceof InvalidArgument || error instanceof InvalidServiceName) {
            invalid(lease, sent, error);
        } else if (error instanceof Unauthorized && lease.accepted.isEmpty()) {
            refuse(lease, error);
        } else {
            lease.fail(sent.generation(), error);
            tryAgainLater(lease, sent, error);
        }
    }

    private void stale(KeptLease lease, LeaseData sent, StaleGeneration stale) {
        boolean newerWaits = lease.wanted.generation() > Math.max(sent.generation(), stale.current());
        // A process that starts is newer than what is there, whatever the clocks say. What has been registered before
        // gives way to a higher number, but not to an equal one: that is its own echo, or its own deregistration.
        boolean ours = lease.accepted.isEmpty() || stale.current() <= lease.generationSent;
        if (newerWaits) {
            send(lease);
        } else if (ours && lease.raises < RAISES_MAX) {
            lease.raises++;
            generations.raise(stale.current());
            lease.wanted = lease.wanted.withGeneration(generations.next());
            send(lease);
        } else if (ours) {
            lease.fail(sent.generation(), stale);
            tryAgainLater(lease, sent, stale);
        } else {
            superseded(lease, stale);
        }
    }

    private void invalid(KeptLease lease, LeaseData sent, RegistryException error) {
        lease.fail(sent.generation(), error);
        if (lease.wanted.generation() > sent.generation()) {
            send(lease);
        } else if (lease.accepted.isEmpty()) {
            refuse(lease, error);
        } else if (sent.instance().equals(lease.accepted.get().instance())
                && sent.tags().equals(lease.accepted.get().tags())) {
            tryAgainLater(lease, sent, error); // the registry has taken these very data before
        } else {
            // Restored with a call: where the data went in parts, the first ones may be in force.
            lease.wanted = lease.accepted.get().withGeneration(generations.next());
            lease.show();
            send(lease);
        }
    }

    private void tryAgainLater(KeptLease lease, LeaseData sent, RegistryException error) {
        if (lease.wanted.generation() > sent.generation()) {
            send(lease);
            return;
        }
        Duration max = lease.grant.map(LeaseGrant::heartbeat).orElse(RETRY_MAX);
        long boundNanos = Math.min(max.toNanos(), RETRY_MIN.toNanos() << Math.min(lease.failures, 20));
        Duration delay = retryAfter(error).plusNanos(random.nextLong(boundNanos + 1));
        if (lease.failures++ == 0) {
            log.warn(
                    "{} could not be registered, will try again: {}",
                    sent.instance().id().value(),
                    error.getMessage());
        }
        retryAfter(lease, delay);
    }

    private void retryAfter(KeptLease lease, Duration delay) {
        lease.cancelRetry();
        try {
            lease.retry = Optional.of(timer.after(delay, () -> send(lease)));
        } catch (RejectedExecutionException e) {
            log.debug("closed while {} waited to be registered", lease.handle.id(), e);
        }
    }

    private static Duration retryAfter(RegistryException error) {
        if (error instanceof Overloaded overloaded) {
            return overloaded.retryAfter().orElse(Duration.ZERO);
        }
        return error instanceof NotReady notReady ? notReady.retryAfter().orElse(Duration.ZERO) : Duration.ZERO;
    }

    private void refuse(KeptLease lease, RegistryException error) {
        log.warn("{} was refused: {}", lease.wanted.instance().id().value(), error.getMessage());
        finish(lease, RegistrationState.REFUSED, error);
        callbacks.tell(() -> lease.listener.onRefused(lease.handle, error));
    }

    private void superseded(KeptLease lease, StaleGeneration stale) {
        log.warn(
                "{} was superseded by another process",
                lease.wanted.instance().id().value());
        finish(lease, RegistrationState.SUPERSEDED, stale);
        callbacks.tell(() -> lease.listener.onSuperseded(lease.handle));
    }

    private void finish(KeptLease lease, RegistrationState state, RegistryException reason) {
        lease.cancelRetry();
        lease.known = false;
        lease.state = state;
        lease.show();
        lease.fail(Long.MAX_VALUE, reason);
        lease.handle.firstGrant().completeExceptionally(reason);
        leases.remove(lease.wanted.instance().id(), lease);
    }

    private static RegistryException ended(KeptLease lease) {
        return lease.state == RegistrationState.SUPERSEDED
                ? new StaleGeneration(
                        "another process has registered " + lease.handle.id() + " later", lease.generationSent + 1)
                : new Unreachable("the registration has ended: " + lease.state);
    }

    // ------------------------------------------------------------ what the heartbeat tells

    Collection<KeptLease> leases() {
        return leases.values();
    }

    /** A lease was renewed by a call sent at this time. */
    void renewed(LeaseRef ref, long sentAtNanos) {
        KeptLease lease = meant(ref);
        if (lease == null || !lease.known) {
            return;
        }
        lease.renewedAtNanos = sentAtNanos;
        if (lease.state == RegistrationState.LOST) {
            lease.state = RegistrationState.REGISTERED;
            lease.show();
            callbacks.tell(() -> lease.listener.onReregistered(lease.handle));
        }
    }

    /** The registry does not know a lease: register it again, not at the same moment as all others. */
    void unknown(LeaseRef ref) {
        KeptLease lease = meant(ref);
        if (lease == null || !lease.known) {
            return;
        }
        lease.known = false;
        lost(lease);
        if (!lease.inFlight && lease.retry.isEmpty()) {
            double share = config.lease().reregisterSpread() * random.nextDouble();
            long interval = lease.grant.orElseThrow().heartbeat().toNanos();
            retryAfter(lease, Duration.ofNanos((long) (interval * share)));
        }
    }

    /** The registry knows a newer registration than that of this lease, unless that one is our own. */
    void superseded(LeaseRef ref) {
        KeptLease lease = meant(ref);
        if (lease != null && ref.generation() == lease.generationSent) {
            superseded(
                    lease,
                    new StaleGeneration(
                            "another process has registered " + ref.instanceId() + " later", ref.generation() + 1));
        }
    }

    /** Marks a lease that was not renewed for its whole length. */
    void lost(KeptLease lease) {
        if (lease.state == RegistrationState.REGISTERED) {
            lease.state = RegistrationState.LOST;
            lease.show();
            log.warn(
                    "the lease of {} is lost, registering again",
                    lease.handle.id().value());
            callbacks.tell(() -> lease.listener.onLost(lease.handle));
        }
    }

    /** The lease that an answer means; null where it has ended, or was registered anew meanwhile. */
    private @Nullable KeptLease meant(LeaseRef ref) {
        KeptLease lease = leases.get(ref.instanceId());
        return lease != null
                        && lease.accepted.isPresent()
                        && lease.accepted.get().generation() == ref.generation()
                ? lease
                : null;
    }

    // ------------------------------------------------------------ for the handles

    Callbacks callbacks() {
        return callbacks;
    }

    Duration writeTimeout() {
        return config.call().writeTimeout();
    }

    Duration closeTimeout() {
        return config.lease().closeTimeout();
    }

    <T> T await(CompletableFuture<T> answer) {
        return Failures.await(answer, writeTimeout());
    }

    /** @return false where the client is closed and the task will not run */
    private boolean post(Runnable task) {
        try {
            timer.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }
}
