// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.CatalogPage;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Tag;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.cluster.CatalogReader;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.store.Peer;
import io.tagbahn.server.store.Utf8;
import io.tagbahn.server.watch.WatchAnswer;
import io.tagbahn.server.watch.WatchHub;
import io.tagbahn.server.watch.WatchTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The front door of a node for those who follow changes, beside {@link RegistryService}, which admits every call. */
public final class WatchService {

    /** The longest wait for a change. */
    public static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final Duration WATCH_WAIT_DEFAULT = Duration.ofSeconds(30);
    /** What a call that waits has besides its wait. */
    private static final Duration BESIDES = Duration.ofSeconds(5);
    /** Part of the deadline that is left to the way back. */
    private static final Duration WAY_BACK = Duration.ofMillis(50);

    private static final int TEXT_BYTES = 8;
    private static final int CHANGES_PER_PAGE = 10_000;

    private final RegistryService registry;
    private final Supplier<Cluster> cluster;
    private final Supplier<WatchHub> hub;
    private final ServiceLimits limits;
    private final LongSupplier ticker;

    public WatchService(
            RegistryService registry,
            Supplier<Cluster> cluster,
            Supplier<WatchHub> hub,
            ServiceLimits limits,
            LongSupplier ticker) {
        this.registry = registry;
        this.cluster = cluster;
        this.hub = hub;
        this.limits = limits;
        this.ticker = ticker;
    }

    /**
     * What a reader is told.
     *
     * @param tags the answer to a question for tags, under the spelling of the question
     * @param meant the answer to a question by meaning
     */
    public record Told(String token, Optional<PeersByTag> tags, Optional<FoundByMeaning> meant) {}

    // ------------------------------------------------------------ watches

    /**
     * Who is found under tags, as soon as that is not what the reader has.
     *
     * @return fails with {@link InvalidArgument} where one is no tag
     */
    public CompletionStage<Told> watchTags(
            List<String> tags, Optional<String> token, Optional<Duration> wait, CallContext context) {
        Duration time = wait(wait, WATCH_WAIT_DEFAULT);
        return registry.admitted(context, time.plus(BESIDES), deadlineNanos -> {
            if (tags.isEmpty() || tags.size() > limits.tagsPerQueryMax()) {
                throw new InvalidArgument(
                        "target.serviceTags",
                        tags.size() + " tags; 1.." + limits.tagsPerQueryMax() + " in one call are allowed");
            }
            Map<String, String> entryOf = new LinkedHashMap<>();
            for (int i = 0; i < tags.size(); i++) {
                entryOf.put(tags.get(i), canonical("target.serviceTags[" + i + "]", tags.get(i)));
            }
            List<String> entries = List.copyOf(entryOf.values());
            return hub.get()
                    .watch(
                            new WatchTarget.Entries(entries),
                            token,
                            left(time, deadlineNanos),
                            left(WAIT_MAX, deadlineNanos))
                    .thenApply(told -> told.answer().isPresent()
                            ? new Told(
                                    told.token(),
                                    Optional.of(byTag(entryOf, told.answer().get())),
                                    Optional.empty())
                            : new Told(told.token(), Optional.empty(), Optional.empty()));
        });
    }

    private static String canonical(String field, String tag) {
        try {
            return Tag.parse(tag).spelling();
        } catch (InvalidArgument e) {
            throw e.at(field);
        }
    }

    private PeersByTag byTag(Map<String, String> entryOf, WatchAnswer answer) {
        if (!(answer instanceof WatchAnswer.Found found)) {
            throw new IllegalArgumentException("no answer for tags: " + answer);
        }
        Map<String, List<Peer>> peers = new LinkedHashMap<>();
        long bytes = 0;
        int i = 0;
        for (String tag : entryOf.keySet()) {
            List<Peer> under = found.found().peers().get(i++);
            for (Peer peer : under) {
                bytes += peer.encodedBytesMax();
            }
            if (!under.isEmpty()) {
                bytes += Utf8.length(tag);
                peers.put(tag, under);
            }
        }
        if (bytes > limits.answerBytesMax()) {
            throw new InvalidArgument(
                    "target.serviceTags",
                    "the answer would be longer than " + limits.answerBytesMax()
                            + " bytes, which is the most that this node sends: watch fewer tags in one call");
        }
        return new PeersByTag(peers, found.degraded());
    }

    /** Who is found by meaning, as soon as that is not what the reader has. */
    public CompletionStage<Told> watchMeaning(
            MatchQuery query,
            Optional<Locality> near,
            Optional<String> token,
            Optional<Duration> wait,
            CallContext context) {
        Duration time = wait(wait, WATCH_WAIT_DEFAULT);
        return registry.admitted(
                context,
                time.plus(BESIDES),
                deadlineNanos -> hub.get()
                        .watch(
                                new WatchTarget.Meant(query, Optional.empty()),
                                token,
                                left(time, deadlineNanos),
                                left(WAIT_MAX, deadlineNanos))
                        .thenApply(told -> new Told(
                                told.token(), Optional.empty(), told.answer().map(answer -> meant(answer, near)))));
    }

    private static FoundByMeaning meant(WatchAnswer answer, Optional<Locality> near) {
        if (answer instanceof WatchAnswer.Matched matched) {
            return MeaningService.ordered(matched.found(), near);
        }
        throw new IllegalArgumentException("no answer by meaning: " + answer);
    }

    private static Duration wait(Optional<Duration> asked, Duration usual) {
        Duration wait = asked.orElse(usual);
        if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0) {
            throw new InvalidArgument("waitMillis", wait.toMillis() + " is not within 0.." + WAIT_MAX.toMillis());
        }
        return wait;
    }

    /** Not beyond the deadline: an answer without a change has to arrive as well. */
    private Duration left(Duration wait, long deadlineNanos) {
        Duration left = Duration.ofNanos(deadlineNanos - ticker.getAsLong()).minus(WAY_BACK);
        Duration least = left.isNegative() ? Duration.ZERO : left;
        return wait.compareTo(least) < 0 ? wait : least;
    }

    // ------------------------------------------------------------ catalogue

    /**
     * All entries in pages, then what happens to them.
     *
     * @param token of the page before; one that is not known begins anew
     */
    public CompletionStage<CatalogPage> catalog(
            Optional<String> token, OptionalInt limit, Optional<Duration> wait, CallContext context) {
        Duration time = wait(wait, Duration.ZERO);
        int most = limit.orElse(limits.namesPerPageMax());
        if (most < 1 || most > limits.namesPerPageMax()) {
            throw new InvalidArgument("limit", most + " is not within 1.." + limits.namesPerPageMax());
        }
        return registry.admitted(context, time.plus(BESIDES), deadlineNanos -> {
            Optional<CatalogToken> known = token.flatMap(CatalogToken::parse);
            if (known.isEmpty()) {
                return begin(most, deadlineNanos);
            }
            if (known.get().after().isPresent()) {
                return page(known.get().position(), known.get().after(), most, deadlineNanos);
            }
            return changes(known.get().position(), most, left(time, deadlineNanos), deadlineNanos);
        });
    }

    private CompletionStage<CatalogPage> begin(int limit, long deadlineNanos) {
        CatalogReader catalog = cluster.get().catalog();
        return catalog.position(deadlineNanos)
                .thenCompose(position -> catalog.page(position, Optional.empty(), limit, deadlineNanos)
                        .thenApply(page -> told(position, page.orElseThrow(CatalogReader::incomplete), true)));
    }

    /** The next page of a copy that is being read; where nodes have joined or left since its first one, that of a new one. */
    private CompletionStage<CatalogPage> page(
            CatalogReader.Position position, Optional<String> after, int limit, long deadlineNanos) {
        return cluster.get()
                .catalog()
                .page(position, after, limit, deadlineNanos)
                .thenCompose(page -> page.isPresent()
                        ? CompletableFuture.completedFuture(told(position, page.get(), false))
                        : begin(limit, deadlineNanos));
    }

    private CatalogPage told(CatalogReader.Position position, CatalogReader.Page page, boolean reset) {
        List<String> added = fitting(page.entries());
        Optional<String> last =
                added.size() < page.entries().size() ? Optional.of(added.get(added.size() - 1)) : page.last();
        return new CatalogPage(added, List.of(), new CatalogToken(position, last).text(), last.isPresent(), reset);
    }

    private List<String> fitting(List<String> entries) {
        long bytes = 0;
        for (int i = 0; i < entries.size(); i++) {
            bytes += Utf8.length(entries.get(i));
            bytes += TEXT_BYTES;
            if (bytes > limits.answerBytesMax() - 4L * Tag.BYTES_MAX) {
                return entries.subList(0, Math.max(1, i)); // what is alone always fits
            }
        }
        return entries;
    }

    private CompletionStage<CatalogPage> changes(
            CatalogReader.Position position, int limit, Duration wait, long deadlineNanos) {
        long untilNanos = ticker.getAsLong() + wait.toNanos();
        int most = Math.min(limit, CHANGES_PER_PAGE);
        long version = hub.get().entriesVersion();
        return cluster.get().catalog().since(position, most, deadlineNanos).thenCompose(part -> {
            if (part.isEmpty()) {
                return begin(limit, deadlineNanos);
            }
            Duration left = Duration.ofNanos(untilNanos - ticker.getAsLong());
            if (part.get().present().isEmpty() && !part.get().more() && left.compareTo(Duration.ZERO) > 0) {
                return hub.get()
                        .awaitEntries(version, left)
                        .thenCompose(woken -> changes(
                                part.get().next(),
                                limit,
                                woken ? remaining(untilNanos) : Duration.ZERO,
                                deadlineNanos));
            }
            return CompletableFuture.completedFuture(told(part.get()));
        });
    }

    private Duration remaining(long untilNanos) {
        long left = untilNanos - ticker.getAsLong();
        return left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    private static CatalogPage told(CatalogReader.Part part) {
        List<String> added = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        part.present().forEach((entry, there) -> (there ? added : removed).add(entry));
        return new CatalogPage(
                added, removed, new CatalogToken(part.next(), Optional.empty()).text(), part.more(), false);
    }
}
