// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Match;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.MatchResult;
import io.tagbahn.semantics.TagIndex;
import io.tagbahn.server.changes.Changes;
import io.tagbahn.server.changes.Keeping;
import io.tagbahn.server.ontology.OntologyFiles;
import io.tagbahn.server.ontology.OntologyShelf;
import io.tagbahn.server.ontology.OntologyTerms;
import io.tagbahn.server.semantics.LiveIndex;
import io.tagbahn.server.store.EntryListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node knows of meaning: its ontologies, the index over its tags, and the threads that match and compile, so
 * that neither holds up other calls.
 */
public final class Meaning implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Meaning.class);

    /** Questions that wait for a thread; more are refused. */
    private static final int QUESTIONS_WAITING_MAX = 2_000;
    /** Documents that wait to be worked on; more are refused. */
    private static final int DOCUMENTS_WAITING_MAX = 100;

    private static final int THREADS_MAX = 4;
    /** Changes within this time are told together. */
    private static final Duration WAKE_AFTER = Duration.ofMillis(10);

    private final Executor matchers;
    private final List<ExecutorService> threads;
    private final OntologyShelf shelf;
    private final LiveIndex index;
    private final Changes changes;
    private final int answerBytesMax;
    private final AtomicBoolean waking = new AtomicBoolean();
    private volatile @Nullable Timer timer;

    /**
     * @param answerBytesMax bytes of one answer
     * @param log what is kept of changes
     */
    public Meaning(OntologyTerms terms, OntologyFiles files, int processors, int answerBytesMax, LogTerms log) {
        this(
                terms,
                files,
                threads("matcher", Math.min(THREADS_MAX, processors), QUESTIONS_WAITING_MAX),
                threads("ontologies", 1, DOCUMENTS_WAITING_MAX),
                answerBytesMax,
                log);
    }

    /**
     * What is kept of changes.
     *
     * @param epoch of the logs: differs from those of earlier processes
     * @param entries what is kept of comings and goings
     */
    public record LogTerms(long epoch, Keeping entries, LongSupplier ticker) {}

    private Meaning(
            OntologyTerms terms,
            OntologyFiles files,
            ExecutorService matchers,
            ExecutorService shelving,
            int answerBytesMax,
            LogTerms log) {
        this(terms, files, matchers, shelving, List.of(shelving, matchers), answerBytesMax, log);
    }

    /** Everything is done by these executors; the second one keeps the order of its tasks. */
    Meaning(
            OntologyTerms terms,
            OntologyFiles files,
            Executor matchers,
            Executor shelving,
            int answerBytesMax,
            LogTerms log) {
        this(terms, files, matchers, shelving, List.of(), answerBytesMax, log);
    }

    private Meaning(
            OntologyTerms terms,
            OntologyFiles files,
            Executor matchers,
            Executor shelving,
            List<ExecutorService> threads,
            int answerBytesMax,
            LogTerms log) {
        this.matchers = matchers;
        this.threads = threads;
        this.shelf = new OntologyShelf(terms, files, shelving);
        this.index = new LiveIndex(shelf.present().closure(), matchers);
        this.changes = new Changes(log.epoch(), log.entries(), log.ticker(), this::wakeSoon);
        this.answerBytesMax = answerBytesMax;
        shelf.onClosure(index::compile);
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but how long others wait
    private static ExecutorService threads(String name, int count, int waitingMax) {
        return new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waitingMax), task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            // Seconds of work, beside lookups that take microseconds. The launcher has the JVM heed it.
            thread.setPriority(Thread.MIN_PRIORITY);
            return thread;
        });
    }

    /**
     * Follows the store from now on, and reads what is kept of ontologies.
     *
     * @throws java.io.UncheckedIOException where it can't be found out what is kept
     */
    public void start(LocalReplica replica) {
        replica.onEntries(EntryListener.both(index, changes));
        shelf.load().whenComplete((done, error) -> {
            if (error != null) {
                log.error("the node has no ontologies and does not infer", error);
            }
        });
    }

    /** By which those who wait for changes are woken. */
    void wakeBy(Timer waker) {
        timer = waker;
    }

    private void wakeSoon() {
        Timer waker = timer;
        if (waker != null && waking.compareAndSet(false, true)) {
            waker.after(WAKE_AFTER, () -> {
                waking.set(false);
                changes.wake();
            });
        }
    }

    Changes changes() {
        return changes;
    }

    public OntologyShelf shelf() {
        return shelf;
    }

    /** What is in force for answers. */
    public Closure closure() {
        return index.closure();
    }

    int answerBytesMax() {
        return answerBytesMax;
    }

    /** Has something done by the threads that match. */
    <T> CompletionStage<T> submit(Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            matchers.execute(() -> {
                try {
                    done.complete(work.get());
                } catch (RegistryException e) {
                    done.completeExceptionally(e);
                } catch (RuntimeException | Error e) {
                    // An error as well: nobody else would tell the one who waits.
                    log.error("matching failed", e);
                    done.completeExceptionally(new RegistryFault("matching failed", e));
                }
            });
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(new Overloaded(
                    "too many questions wait for an answer by meaning", Signal.TRY_ELSEWHERE, Optional.empty()));
        }
        return done;
    }

    /** The index with all that has been written. */
    TagIndex index() {
        return index.current();
    }

    /** What a tag brings to an answer, where it brings something. */
    interface Visitor {
        /** @return whether the tag counts as a match */
        boolean visit(Match match);
    }

    /** Matches that count, at most as many as the query wants; what doesn't count doesn't use up the limit. */
    static MatchResult counting(TagIndex index, MatchQuery query, Visitor visitor) {
        int asked = query.limit();
        MatchResult result = index.match(query);
        int seen = 0;
        List<Match> counted = new ArrayList<>();
        while (true) {
            List<Match> matches = result.matches();
            for (; seen < matches.size() && counted.size() < query.limit(); seen++) {
                if (visitor.visit(matches.get(seen))) {
                    counted.add(matches.get(seen));
                }
            }
            boolean more = matches.size() == asked && asked < MatchQuery.LIMIT_MAX;
            if (counted.size() == query.limit() || !more) {
                return new MatchResult(counted, result.diagnostics(), result.nearMisses());
            }
            asked = (int) Math.min(MatchQuery.LIMIT_MAX, 4L * asked);
            result = index.match(query.limitedTo(asked));
        }
    }

    InvalidArgument tooLong() {
        return new InvalidArgument(
                "limit",
                "the answer would be longer than " + answerBytesMax
                        + " bytes, which is the most that this node sends: ask for fewer matches");
    }

    @Override
    public void close() {
        threads.forEach(ExecutorService::shutdownNow);
    }
}
