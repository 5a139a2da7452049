// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Tag;
import io.tagbahn.wire.WireLease;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance that the client keeps registered, until this is closed or another process takes its place.
 *
 * <p>The client renews the lease, and registers again in full, with the newest data, where the registry has lost it. An
 * update is sent as a registration of a higher generation. Where the registry cannot be reached, the update fails towards
 * its caller, and the data nevertheless go out as soon as they can; where the registry refuses the data as invalid, the
 * ones before stay in force.
 */
public final class Registration implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Registration.class);

    /** What the handle shows: the newest data, and the state as of now. */
    record View(Instance instance, List<Tag> tags, RegistrationState state, Optional<LeaseGrant> grant) {}

    private final LeaseKeeper keeper;
    private final KeptLease lease;
    private final CompletableFuture<LeaseGrant> firstAnswer = new CompletableFuture<>();
    private final CompletableFuture<LeaseGrant> firstGrant = new CompletableFuture<>();
    private volatile View view;

    Registration(LeaseKeeper keeper, RegistrationListener listener, LeaseData data) {
        this.keeper = keeper;
        this.view = new View(data.instance(), data.tags(), RegistrationState.REGISTERING, Optional.empty());
        this.lease = new KeptLease(this, listener, data);
    }

    public InstanceId id() {
        return view.instance().id();
    }

    /** The instance as it was last given, whether or not the registry has it already. */
    public Instance instance() {
        return view.instance();
    }

    /** The tags as they were last given, whether or not the registry has them already. */
    public List<Tag> tags() {
        return view.tags();
    }

    public RegistrationState state() {
        return view.state();
    }

    /** What the registry granted last; absent until it has. */
    public Optional<LeaseGrant> grant() {
        return view.grant();
    }

    /** Completes with the first grant, however many tries that takes; fails where the registration ends without one. */
    public CompletionStage<LeaseGrant> registered() {
        return keeper.callbacks().on(firstGrant);
    }

    /**
     * Registers the instance and its tags anew, as given.
     *
     * @throws IllegalArgumentException where the instance has another id
     * @throws RegistryException StaleGeneration where another process has taken the instance's place; Unreachable where
     *     this registration is closed
     */
    public LeaseGrant update(Instance instance, List<Tag> tags) {
        return keeper.await(keeper.update(lease, checked(instance), tags));
    }

    /** Without blocking, {@link #update(Instance, List)}. */
    public CompletionStage<LeaseGrant> updateAsync(Instance instance, List<Tag> tags) {
        return keeper.callbacks().on(keeper.update(lease, checked(instance), tags));
    }

    /** Registers the instance anew, with the tags that it has; see {@link #update(Instance, List)}. */
    public LeaseGrant update(Instance instance) {
        return keeper.await(keeper.update(lease, checked(instance)));
    }

    /** Without blocking, {@link #update(Instance)}. */
    public CompletionStage<LeaseGrant> updateAsync(Instance instance) {
        return keeper.callbacks().on(keeper.update(lease, checked(instance)));
    }

    /** Replaces the tags; see {@link #update(Instance, List)}. */
    public LeaseGrant updateTags(List<Tag> tags) {
        return keeper.await(keeper.updateTags(lease, tags));
    }

    /**
     * Replaces the tags; see {@link #update(Instance, List)}.
     *
     * @throws InvalidArgument where one of them is no tag, with its index
     */
    public LeaseGrant updateTags(String... tags) {
        return updateTags(WireLease.tags("tags", List.of(tags)));
    }

    /** Without blocking, {@link #updateTags(List)}. */
    public CompletionStage<LeaseGrant> updateTagsAsync(List<Tag> tags) {
        return keeper.callbacks().on(keeper.updateTags(lease, tags));
    }

    /**
     * Ends the registration, and waits until the registry knows, as long as a call that writes may take. Nothing of it
     * that is still on its way brings the instance back.
     *
     * @throws RegistryException where the registry could not be told: the lease lapses by itself
     */
    public void deregister() {
        keeper.await(keeper.deregister(lease, keeper.writeTimeout()));
    }

    /** Without blocking, {@link #deregister}. */
    public CompletionStage<Void> deregisterAsync() {
        return keeper.callbacks().on(keeper.deregister(lease, keeper.writeTimeout()));
    }

    /**
     * Ends the registration, and waits until the registry knows, no longer than {@code lease.closeTimeout}. Where the
     * registry cannot be told, that is logged and the lease lapses by itself.
     */
    @Override
    public void close() {
        try {
            Failures.await(keeper.deregister(lease, keeper.closeTimeout()), keeper.closeTimeout());
        } catch (RegistryException e) {
            log.warn("{} could not be deregistered, its lease will lapse: {}", id(), e.getMessage());
        }
    }

    @Override
    public String toString() {
        return id() + " " + state();
    }

    KeptLease lease() {
        return lease;
    }

    /** What became of the first try: unlike the first grant, it fails where the registry can't be reached yet. */
    CompletableFuture<LeaseGrant> firstAnswer() {
        return firstAnswer;
    }

    CompletableFuture<LeaseGrant> firstGrant() {
        return firstGrant;
    }

    void show(View newView) {
        view = newView;
    }

    private Instance checked(Instance instance) {
        if (!instance.id().equals(id())) {
            throw new IllegalArgumentException(
                    "instance " + instance.id() + " in an update of " + id() + ": register it by itself");
        }
        return instance;
    }
}
