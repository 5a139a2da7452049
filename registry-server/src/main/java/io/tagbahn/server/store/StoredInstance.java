// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The place of one instance in the store, the same object for as long as it is there.
 *
 * <p>Postings point here, so that a change of the instance's fields or status shows under all its entries at once and
 * touches no posting. All but {@link #offered} belongs to the writer.
 */
final class StoredInstance implements Posting {

    private static final String[] NONE = {};

    /** What readers get; null while the instance is not handed out. */
    private volatile @Nullable Peer offered;

    private Instance instance;
    /** All entries, where this node is a home; in the order of {@link Utf8#ORDER}, distinct, the name among them. */
    private String[] entries = NONE;
    /** Those under which the instance is found here, in the same order; the same array where that is all of them. */
    private String[] posted = NONE;

    private boolean home;
    /** Whether the end of the lease was told and is waited for. */
    private boolean ending;

    private long generation;
    /** Of the replacement that it goes back to. */
    private long origin;

    private long expiresNanos;
    /** When {@link Leases} looks at the lease next; never later than its end. */
    private long dueNanos;

    private int leaseMillis;
    /** Which doubt about all that is held it has outlived. */
    private int confirmedAt;

    /** Where {@link Leases} keeps this lease. */
    private int leasePosition;

    StoredInstance(Instance instance) {
        this.instance = instance;
    }

    InstanceId id() {
        return instance.id();
    }

    Instance instance() {
        return instance;
    }

    /**
     * The instance as it is from now on, and the status that holds for it.
     *
     * @return whether readers get something else than before
     */
    boolean change(Instance newInstance, InstanceStatus effective) {
        instance = newInstance;
        Peer present = offered;
        if (effective != InstanceStatus.UP) {
            offered = null;
            return present != null;
        }
        // A peer carries the forms that edges have made of it: keep it where nothing changed.
        boolean changed = present == null || !present.instance().equals(newInstance);
        if (changed) {
            offered = new Peer(newInstance);
        }
        return changed;
    }

    /** From now on no reader gets the instance, whatever posting it holds. */
    void withdraw() {
        offered = null;
    }

    String[] entries() {
        return entries;
    }

    String[] posted() {
        return posted;
    }

    void entries(String[] newEntries, String[] newPosted) {
        entries = newEntries;
        posted = newPosted;
    }

    /** Whether the record is kept here, with its lease; otherwise only entries that this node owns. */
    boolean isHome() {
        return home;
    }

    void home(boolean newHome) {
        home = newHome;
    }

    boolean isEnding() {
        return ending;
    }

    void ending(boolean newEnding) {
        ending = newEnding;
    }

    long generation() {
        return generation;
    }

    void generation(long newGeneration) {
        generation = newGeneration;
    }

    long origin() {
        return origin;
    }

    void origin(long newOrigin) {
        origin = newOrigin;
    }

    int leaseMillis() {
        return leaseMillis;
    }

    void leaseMillis(int newLeaseMillis) {
        leaseMillis = newLeaseMillis;
    }

    int confirmedAt() {
        return confirmedAt;
    }

    void confirmedAt(int doubt) {
        confirmedAt = doubt;
    }

    long expiresNanos() {
        return expiresNanos;
    }

    void expiresNanos(long newExpiresNanos) {
        expiresNanos = newExpiresNanos;
    }

    long dueNanos() {
        return dueNanos;
    }

    void dueNanos(long newDueNanos) {
        dueNanos = newDueNanos;
    }

    int leasePosition() {
        return leasePosition;
    }

    void leasePosition(int newLeasePosition) {
        leasePosition = newLeasePosition;
    }

    @Override
    public void forEachOffered(Consumer<? super Peer> peers) {
        Peer peer = offered;
        if (peer != null) {
            peers.accept(peer);
        }
    }

    @Override
    public Posting with(StoredInstance other) {
        return SharedPosting.of(this, other);
    }
}
