// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CatalogPage;
import io.tagbahn.model.RegistryException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All entries of the registry, kept up to date: first in pages, then by their changes, for which one call waits.
 *
 * <p>Where the registry has a new copy begin, the old one stands until the new one is whole.
 */
final class EntryCopy {

    /** Is told of what is different. */
    interface Listener {
        /** @return completes when the next change may be told */
        CompletionStage<Void> changed(List<String> added, List<String> removed);
    }

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration PAGE = Duration.ofSeconds(10);
    private static final Duration TELL_AGAIN = Duration.ofMillis(100);
    private static final CompletionStage<Void> NOTHING = CompletableFuture.completedFuture(null);
    private static final Logger log = LoggerFactory.getLogger(EntryCopy.class);

    private final Loops loops;
    private final int entriesMax;
    private final Listener listener;
    private Set<String> entries = new HashSet<>();
    /** A new copy that is not whole yet. */
    private Optional<Set<String>> fresh = Optional.empty();

    private Optional<String> token = Optional.empty();
    private int failures;
    private long answeredNanos;
    private volatile boolean closed;

    /** @param entriesMax where the registry holds more, there is no copy */
    EntryCopy(Loops loops, int entriesMax, Listener listener) {
        this.loops = loops;
        this.entriesMax = entriesMax;
        this.listener = listener;
    }

    void start() {
        read(Duration.ZERO);
    }

    private void read(Duration wait) {
        if (closed || loops.isClosed().getAsBoolean()) {
            return;
        }
        CompletionStage<CatalogPage> call = loops.guard()
                .waitingCall(
                        wait.plus(PAGE).multipliedBy(2),
                        new CallGuard.Stay(),
                        (node, context) -> node.meaning().catalog(token, wait, context));
        call.whenComplete((page, error) -> {
            if (closed) {
                return;
            }
            if (error == null) {
                failures = 0;
                long nowNanos = loops.nanos().getAsLong();
                Duration pause = page.more() ? Duration.ZERO : loops.pauseSince(answeredNanos);
                answeredNanos = nowNanos + pause.toNanos();
                take(page).whenComplete((done, failed) -> goOn(pause, page.more() ? Duration.ZERO : WAIT));
            } else {
                again(Failures.of(error));
            }
        });
    }

    private void again(RegistryException error) {
        log.debug("the copy of all entries is not up to date: {}", error.getMessage());
        goOn(loops.pauseAfter(failures++), Duration.ZERO);
    }

    private void goOn(Duration pause, Duration wait) {
        closed |= !loops.after(pause, () -> read(wait));
    }

    /** Tells the listener until it has taken it in: what it is told next builds on this. */
    private CompletionStage<Void> tell(List<String> added, List<String> removed) {
        CompletionStage<Void> told;
        try {
            told = listener.changed(added, removed);
        } catch (RuntimeException e) {
            told = CompletableFuture.failedFuture(e);
        }
        return told.exceptionallyCompose(error -> {
            log.debug("a change could not be taken into the copy and is told again", error);
            CompletableFuture<Void> done = new CompletableFuture<>();
            boolean going = !closed
                    && loops.after(
                            TELL_AGAIN, () -> tell(added, removed).whenComplete((ok, failed) -> done.complete(null)));
            closed |= !going;
            return going ? done : NOTHING;
        });
    }

    private CompletionStage<Void> take(CatalogPage page) {
        token = Optional.of(page.token());
        if (page.reset()) {
            fresh = Optional.of(new HashSet<>());
        }
        if (fresh.isPresent()) {
            Set<String> filling = fresh.get();
            filling.addAll(page.added());
            if (filling.size() > entriesMax) {
                log.error(
                        "the registry holds more than {} entries (inference.entriesMax): there is no copy of them",
                        entriesMax);
                closed = true;
            } else if (!page.more()) {
                fresh = Optional.empty();
                return replaceBy(filling);
            }
            return NOTHING;
        }
        List<String> removed = page.removed().stream().filter(entries::remove).toList();
        List<String> added = page.added().stream().filter(entries::add).toList();
        return added.isEmpty() && removed.isEmpty() ? NOTHING : tell(added, removed);
    }

    private CompletionStage<Void> replaceBy(Set<String> whole) {
        Set<String> before = entries;
        entries = whole;
        return tell(
                whole.stream().filter(entry -> !before.contains(entry)).toList(),
                before.stream().filter(entry -> !whole.contains(entry)).toList());
    }

    void close() {
        closed = true;
    }
}
