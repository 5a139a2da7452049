// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Unreachable;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.admission.QuotaTerms;
import io.tagbahn.server.replication.Hints;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in its cluster: what it holds, what the others hold, and the way there.
 *
 * <p>Reads and writes of a node that is by itself go straight to its own replica.
 */
public final class Cluster implements AutoCloseable {

    private static final Duration LEAVE_STEP = Duration.ofMillis(50);

    private static final Logger log = LoggerFactory.getLogger(Cluster.class);

    private final ClusterConfig config;
    private final Membership membership;
    private final LocalReplica replica;
    private final Timer timer;
    private final LongSupplier ticker;
    private final RandomGenerator random;
    private final ClusterState state;
    private final LocalPeer own;
    private final Peers peers;
    private final Hints hints;
    private final Coordinator coordinator;
    private final Repairer repairer;
    private final Meaning meaning;
    private final OntologySpread spread;
    private final AnswerTimes times = new AnswerTimes();
    private final HotEntries hot = new HotEntries();
    private volatile boolean closed;

    /**
     * Puts a node's part together; it begins with {@link #start}.
     *
     * @param connect makes a replica of another member, which connects when it is first asked
     * @param random for the times of repairs
     */
    public Cluster(
            String self,
            ClusterConfig config,
            Membership membership,
            LocalReplica replica,
            Meaning meaning,
            Function<ClusterMember, Replica> connect,
            Timer timer,
            LongSupplier ticker,
            InstantSource clock,
            RandomGenerator random) {
        this.config = config;
        this.membership = membership;
        this.replica = replica;
        this.timer = timer;
        this.ticker = ticker;
        this.random = random;
        this.hints = new Hints(ClusterConfig.HINTS_PER_NODE_MAX, ClusterConfig.HINTS_KEPT.toNanos());
        this.state = new ClusterState(self, membership, config, replica, timer, ticker);
        this.meaning = meaning;
        meaning.wakeBy(timer);
        this.spread = new OntologySpread(meaning.shelf(), state, config, timer, ticker, random);
        this.own = new LocalPeer(
                self,
                replica,
                state,
                new LocalMeaning(meaning, replica, state, spread, timer, ticker),
                config.copyBytesMax());
        this.peers = new Peers(own, connect);
        Copying copying = new Copying(config.copyBytesMax());
        this.coordinator = new Coordinator(replica, state, peers, hints, copying, config.peerTimeout(), ticker, clock);
        this.repairer = new Repairer(state, replica, peers, copying, ticker);
    }

    public void start() {
        LeaseEnds ends = new LeaseEnds(replica, state, peers, hints, config.peerTimeout(), ticker);
        replica.onExpiry(ends::accept);
        state.start(peers, new Filler(state, replica, peers, timer, ticker, random), spread::isReady);
        spread.start(peers);
        timer.after(ClusterConfig.HINT_INTERVAL, this::sendHints);
        timer.after(untilNextRepair(), this::repair);
    }

    /** Has callers keep to what they may use of the cluster; once, before it starts. */
    public Quotas limit(QuotaTerms terms) {
        Quotas limits = new Quotas(terms, state, peers, timer, ticker);
        own.keepAccounts(limits);
        limits.start();
        return limits;
    }

    /** This node as the others may ask it. */
    public Replica self() {
        return peers.self();
    }

    public ClusterView view() {
        return state.view();
    }

    /** Whether this node holds what it owns, and may be asked for it. */
    public boolean isReady() {
        return view().isAlone() || state.isReady();
    }

    /** Whether this node answers all questions from what it holds by itself. */
    public boolean isAlone() {
        return view().isAlone() && !state.isUnsure();
    }

    public Coordinator coordinator() {
        return coordinator;
    }

    // ------------------------------------------------------------ reads

    /** What is registered under entries in canonical spelling. */
    public CompletionStage<FoundEntries> find(List<String> entries, long deadlineNanos) {
        return find(entries, Set.of(), deadlineNanos);
    }

    /**
     * What is registered under entries in canonical spelling.
     *
     * @param preferred the nodes that are asked rather than others that are nearer, where they are owners
     */
    public CompletionStage<FoundEntries> find(List<String> entries, Set<String> preferred, long deadlineNanos) {
        ClusterView asked = view();
        return find(entries, preferred, asked, deadlineNanos).thenCompose(found -> {
            ClusterView now = view();
            // An owner may have left while it was asked; whoever took over can be asked by now.
            return found.degraded() && now != asked && deadlineNanos - ticker.getAsLong() > 0
                    ? find(entries, preferred, now, deadlineNanos)
                    : CompletableFuture.completedFuture(found);
        });
    }

    private CompletionStage<FoundEntries> find(
            List<String> entries, Set<String> preferred, ClusterView asked, long deadlineNanos) {
        return Lookup.of(entries, preferred, asked, peers, timer, times, hot, ticker, deadlineNanos);
    }

    /** Entries in order, behind one of them, at most so many. */
    public CompletionStage<EntryPage> list(String prefix, Optional<String> after, int limit, long deadlineNanos) {
        return new Listing(view(), peers, prefix, after, limit, deadlineNanos).page();
    }

    /** The tags that answer a question by meaning, and who carries them. */
    public CompletionStage<FoundMatches> match(MatchQuery query, long deadlineNanos) {
        return new SemanticLookup(query, meaning, state, peers, timer, ticker, deadlineNanos).find();
    }

    /** The comings and goings of entries. */
    public CatalogReader catalog() {
        return new CatalogReader(state, peers, meaning.changes().readCharsMax());
    }

    /** A feed of everything that changes answers; it reads nothing until it is wanted. */
    public ChangeFeed feed(ChangeFeed.Listener listener) {
        return new ChangeFeed(state, peers, config.peerTimeout(), timer, ticker, listener);
    }

    // ------------------------------------------------------------ ontologies

    /** What this node knows of meaning. */
    public Meaning meaning() {
        return meaning;
    }

    /** Whether the ontologies that are in force are known here. */
    public boolean knowsOntologies() {
        return spread.isReady();
    }

    /**
     * Takes a change of a document into force here and at all nodes that can be reached.
     *
     * @param admission is run before anything changes; what it throws ends the change
     * @return the nodes that don't have it yet
     */
    public CompletionStage<List<String>> spread(
            OntologyHead head, byte[] document, Runnable admission, long deadlineNanos) {
        return spread.spread(head, document, admission, deadlineNanos);
    }

    // ------------------------------------------------------------ what goes on by itself

    private Duration untilNextRepair() {
        long interval = config.repairInterval().toNanos();
        // Nodes that were started together should not repair together.
        return Duration.ofNanos(interval / 2 + random.nextLong(interval));
    }

    private void repair() {
        repairNow().whenComplete((count, error) -> {
            if (error != null && !closed) {
                log.warn(
                        "a round of repair ended early: {}",
                        Settled.cause(error).toString());
            } else if (error == null && count > 0) {
                log.info("repaired {} copies", count);
            }
            if (!closed) {
                timer.after(untilNextRepair(), this::repair);
            }
        });
    }

    /** A round of repair out of turn; answers how many copies were sent, taken out or moved. */
    CompletionStage<Integer> repairNow() {
        return repairer.round();
    }

    private void sendHints() {
        ClusterView view = state.view();
        hints.keepOnly(view.reachable().keySet());
        for (String node : view.reachable().keySet()) {
            peers.get(node, view).ifPresent(this::sendHints);
        }
        if (!closed) {
            timer.after(ClusterConfig.HINT_INTERVAL, this::sendHints);
        }
    }

    private void sendHints(Replica peer) {
        long nowNanos = ticker.getAsLong();
        long untilNanos = nowNanos + config.peerTimeout().toNanos();
        if (peer.isStalled()) {
            // An answer ends the stall, and what it has missed is due at once.
            peer.hello(untilNanos).thenAccept(there -> sendHints(peer));
            return;
        }
        List<Change> changes = hints.take(peer.id(), Copying.CHANGES_MAX, config.copyBytesMax(), nowNanos);
        if (changes.isEmpty()) {
            return;
        }
        peer.apply(changes, untilNanos).whenComplete((applied, error) -> {
            if (error == null) {
                sendHints(peer);
            } else if (isWorthAgain(Settled.cause(error))) {
                changes.forEach(change -> hints.add(peer.id(), change, nowNanos));
            } else if (!closed) {
                log.warn(
                        "node {} can't be told of {} changes: {}",
                        peer.id(),
                        changes.size(),
                        Settled.cause(error).toString());
            }
        });
    }

    private static boolean isWorthAgain(Throwable failure) {
        return failure instanceof Unreachable
                || failure instanceof OutcomeUnknown
                || failure instanceof NotReady
                || failure instanceof Overloaded;
    }

    // ------------------------------------------------------------ the end

    /**
     * Has the others take over what this node owns, and waits until they have; then it has left. Not to be called on a
     * thread that answers calls.
     */
    public void leave() {
        if (!view().isAlone()) {
            long endNanos = ticker.getAsLong() + config.handover().toNanos();
            beginLeaving();
            while (ticker.getAsLong() - endNanos < 0
                    && !othersHaveTakenOver(endNanos).toCompletableFuture().join()) {
                if (!pause()) {
                    break;
                }
            }
        }
        membership.close();
    }

    void beginLeaving() {
        membership.announce(Stage.LEAVING);
    }

    /** Whether all others hold what this node leaves to them. */
    CompletionStage<Boolean> othersHaveTakenOver(long endNanos) {
        ClusterView view = view();
        if (view.reachable().values().stream().allMatch(member -> member.stage() == Stage.LEAVING)) {
            return CompletableFuture.completedFuture(true); // nobody is left who could
        }
        if (view.nextRing().member(view.self()).isPresent()) {
            return CompletableFuture.completedFuture(false); // word of it has not come round to this node itself
        }
        AtomicBoolean all = new AtomicBoolean(true);
        List<CompletionStage<?>> asked = new ArrayList<>();
        for (String node : view.reachable().keySet()) {
            Optional<Replica> peer = peers.get(node, view);
            if (node.equals(view.self()) || peer.isEmpty() || peer.get().isStalled()) {
                continue;
            }
            asked.add(peer.get()
                    .hello(Math.min(
                            endNanos, ticker.getAsLong() + config.peerTimeout().toNanos()))
                    .whenComplete((there, error) -> {
                        if (error != null || !there.filled() || there.ring() != view.hash()) {
                            all.set(false);
                        }
                    }));
        }
        return Settled.all(asked).thenApply(done -> all.get());
    }

    private static boolean pause() {
        try {
            Thread.sleep(LEAVE_STEP.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Stops; without {@link #leave} the others take it for a crash. */
    @Override
    public void close() {
        closed = true;
        state.close();
        meaning.changes().close();
        spread.close();
        peers.close();
    }
}
