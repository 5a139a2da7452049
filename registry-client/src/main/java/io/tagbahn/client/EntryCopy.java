// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CatalogPage;
import io.tagbahn.model.Criticality;
import io.tagbahn.model.RegistryException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
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
    private static final Duration BACKOFF_MIN = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(5);
    private static final CompletionStage<Void> NOTHING = CompletableFuture.completedFuture(null);
    private static final Logger log = LoggerFactory.getLogger(EntryCopy.class);

    private final ClientRuntime runtime;
    private final Listener listener;
    private Set<String> entries = new HashSet<>();
    /** A new copy that is not whole yet. */
    private Optional<Set<String>> fresh = Optional.empty();

    private Optional<String> token = Optional.empty();
    private int failures;
    private volatile boolean closed;

    EntryCopy(ClientRuntime runtime, Listener listener) {
        this.runtime = runtime;
        this.listener = listener;
    }

    void start() {
        read(Duration.ZERO);
    }

    private void read(Duration wait) {
        if (closed || runtime.isClosed()) {
            return;
        }
        CompletionStage<CatalogPage> call = runtime.guard()
                .call(
                        wait.plus(PAGE).multipliedBy(2),
                        Criticality.NORMAL,
                        (node, context) -> node.meaning().catalog(token, wait, context));
        call.whenComplete((page, error) -> {
            if (closed) {
                return;
            }
            if (error == null) {
                failures = 0;
                take(page).whenComplete((done, ignored) -> read(page.more() ? Duration.ZERO : WAIT));
            } else {
                again(Failures.of(error));
            }
        });
    }

    private void again(RegistryException error) {
        log.debug("the copy of all entries is not up to date: {}", error.getMessage());
        long capNanos = Math.min(BACKOFF_MAX.toNanos(), BACKOFF_MIN.toNanos() << Math.min(failures++, 16));
        try {
            runtime.timer()
                    .after(
                            Duration.ofNanos(capNanos / 2 + runtime.random().nextLong(capNanos / 2 + 1)),
                            () -> read(Duration.ZERO));
        } catch (RejectedExecutionException e) {
            closed = true; // the client is closed
        }
    }

    private CompletionStage<Void> take(CatalogPage page) {
        token = Optional.of(page.token());
        if (page.reset()) {
            fresh = Optional.of(new HashSet<>());
        }
        if (fresh.isPresent()) {
            Set<String> filling = fresh.get();
            filling.addAll(page.added());
            if (filling.size() > runtime.config().inference().entriesMax()) {
                log.error(
                        "the registry holds more than {} entries (inference.entriesMax): there is no copy of them",
                        runtime.config().inference().entriesMax());
                closed = true;
            } else if (!page.more()) {
                fresh = Optional.empty();
                return replaceBy(filling);
            }
            return NOTHING;
        }
        List<String> removed = page.removed().stream().filter(entries::remove).toList();
        List<String> added = page.added().stream().filter(entries::add).toList();
        return added.isEmpty() && removed.isEmpty() ? NOTHING : listener.changed(added, removed);
    }

    private CompletionStage<Void> replaceBy(Set<String> whole) {
        Set<String> before = entries;
        entries = whole;
        return listener.changed(
                whole.stream().filter(entry -> !before.contains(entry)).toList(),
                before.stream().filter(entry -> !whole.contains(entry)).toList());
    }

    void close() {
        closed = true;
    }
}
