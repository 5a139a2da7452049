// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static io.tagbahn.server.node.TestingCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.thrift.CatalogPage;
import io.tagbahn.thrift.CatalogQuery;
import io.tagbahn.thrift.InstanceStatus;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.WatchQuery;
import io.tagbahn.thrift.WatchResult;
import io.tagbahn.thrift.WatchTarget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The catalogue and watches, over Thrift. */
class WatchTest {

    private static final String EX = "http://example.org/w#";
    private static final String SUB = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>";
    private static final long LONG_MILLIS = 15_000;

    @TempDir
    private Path folder;

    private TestingCluster cluster = new TestingCluster(Path.of(""), 1, Map.of());

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void start(int replicas, int nodes) {
        start(replicas, nodes, Map.of("watch.changes", "100"));
    }

    private void start(int replicas, int nodes, Map<String, String> settings) {
        cluster = new TestingCluster(folder, replicas, settings);
        String[] ids = new String[nodes];
        for (int i = 0; i < nodes; i++) {
            ids[i] = "n" + (i + 1);
        }
        cluster.start(ids);
    }

    private void register(String node, String id, String... tags) {
        cluster.at(node).register(instance(id, "service", "10.0.0.1", 80), tags);
    }

    // ------------------------------------------------------------ catalogue

    /** A reader of the catalogue, as clients are. */
    private final class Copy {
        private final Set<String> entries = new TreeSet<>();
        private final Set<String> fresh = new TreeSet<>();
        private @Nullable String token;
        private boolean filling = true;
        private int resets;

        /** Reads one page; tells whether more can be had at once. */
        boolean read(String node, long waitMillis, int limit) {
            CatalogPage page = cluster.at(node)
                    .catalog(new CatalogQuery().setToken(token).setLimit(limit).setWaitMillis(waitMillis));
            if (page.isReset()) {
                fresh.clear();
                filling = true;
                resets++;
            }
            Set<String> into = filling ? fresh : entries;
            into.removeAll(page.getRemoved());
            into.addAll(page.getAdded());
            if (filling && !page.isMore()) {
                entries.clear();
                entries.addAll(fresh);
                filling = false;
            }
            token = page.getToken();
            return page.isMore();
        }

        void readAll(String node) {
            do {
                if (!read(node, 0, 7)) {
                    return;
                }
            } while (true);
        }
    }

    private static boolean isReady(Runnable call) {
        try {
            call.run();
            return true;
        } catch (NotReady e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,3", "3,3"})
    void catalogueIsReadInPagesAndThenByItsChanges(int replicas, int nodes) {
        start(replicas, nodes);
        for (int i = 0; i < 20; i++) {
            register("n" + (1 + i % nodes), "i" + i, EX + "a" + i, EX + "shared");
        }
        Copy copy = new Copy();
        eventually(() -> isReady(() -> copy.readAll("n1")));
        assertThat(copy.entries)
                .hasSize(22)
                .containsExactlyElementsOf(cluster.at("n1").allNames(100));
        assertThat(copy.read("n1", 0, 100)).as("nothing has changed").isFalse();
        assertThat(copy.resets).isEqualTo(1);
        for (int i = 0; i < 10; i++) {
            cluster.at("n" + (1 + (i + 1) % nodes)).deregister("i" + i, 0);
        }
        register("n1", "j", EX + "b", EX + "shared");
        // Positions are good at any node.
        eventually(() -> isReady(() -> copy.readAll("n" + nodes)));
        eventually(() -> {
            copy.readAll("n" + nodes);
            return copy.entries.equals(new HashSet<>(cluster.at("n1").allNames(100)));
        });
        assertThat(copy.entries).hasSize(13).contains(EX + "b").doesNotContain(EX + "a0");
        assertThat(copy.resets).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void catalogueWaitsForAChange(int nodes) throws Exception {
        start(1, nodes);
        Copy copy = new Copy();
        eventually(() -> isReady(() -> copy.readAll("n1")));
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> copy.read("n1", LONG_MILLIS, 100));
            register("n" + nodes, "i" + i, EX + "a" + i);
            waiting.get(2 * LONG_MILLIS, TimeUnit.MILLISECONDS);
            eventually(() -> {
                copy.readAll("n1");
                return copy.entries.contains(
                                EX + "a" + cluster.at("n1").status().getInstances())
                        || !copy.entries.isEmpty();
            });
        }
        eventually(() -> {
            copy.readAll("n1");
            return copy.entries.size() == 6;
        });
    }

    @Test
    void readerThatIsTooFarBehindBeginsAnew() {
        start(1, 1);
        register("n1", "i", EX + "a");
        Copy copy = new Copy();
        copy.readAll("n1");
        for (int i = 0; i < 150; i++) {
            register("n1", "j" + i, EX + "x" + i);
        }
        copy.readAll("n1");
        assertThat(copy.resets).isEqualTo(2);
        assertThat(copy.entries).hasSize(152);
        Copy stranger = new Copy();
        stranger.token = "nonsense";
        stranger.readAll("n1");
        assertThat(stranger.resets).isEqualTo(1);
        assertThat(stranger.entries).isEqualTo(copy.entries);
    }

    @Test
    void readersSurviveNodesThatComeAndGo() {
        start(2, 2);
        for (int i = 0; i < 10; i++) {
            register("n1", "i" + i, EX + "a" + i);
        }
        Copy copy = new Copy();
        eventually(() -> isReady(() -> copy.readAll("n1")));
        cluster.start("n3");
        register("n3", "late", EX + "late");
        eventually(() -> isReady(() -> copy.readAll("n1")) && copy.entries.contains(EX + "late"));
        cluster.kill("n2");
        register("n3", "later", EX + "later");
        eventually(() -> isReady(() -> copy.readAll("n1")) && copy.entries.contains(EX + "later"));
        assertThat(copy.entries).hasSize(13);
    }

    // ------------------------------------------------------------ watches

    private WatchResult watchTags(String node, @Nullable String token, long waitMillis, String... tags) {
        return cluster.at(node)
                .watch(new WatchQuery(WatchTarget.serviceTags(List.of(tags)))
                        .setToken(token)
                        .setWaitMillis(waitMillis));
    }

    private WatchResult watchOnce(@Nullable String token, String tag) {
        return cluster.at("n1").asksOnce().watch(new WatchQuery(WatchTarget.serviceTags(List.of(tag))).setToken(token));
    }

    private WatchResult watchMeaning(String node, @Nullable String token, long waitMillis, String pattern) {
        return cluster.at(node)
                .watch(new WatchQuery(WatchTarget.semantic(new SemanticQuery(pattern)))
                        .setToken(token)
                        .setWaitMillis(waitMillis));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "3,3"})
    void tagsAreWatched(int replicas, int nodes) throws Exception {
        start(replicas, nodes);
        String other = "n" + nodes;
        WatchResult first = watchTags("n1", null, 0, "<" + EX + "a>", "service");
        assertThat(first.isChanged()).isTrue();
        assertThat(first.getTags().getPeers()).isEmpty();
        WatchResult same = watchTags("n1", first.getToken(), 50, "<" + EX + "a>", "service");
        assertThat(same.isChanged()).isFalse();
        assertThat(same.isSetTags()).isFalse();
        CompletableFuture<WatchResult> waiting = CompletableFuture.supplyAsync(
                () -> watchTags("n1", first.getToken(), LONG_MILLIS, "<" + EX + "a>", "service"));
        register(other, "i", EX + "a");
        WatchResult changed = waiting.get(2 * LONG_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(changed.isChanged()).isTrue();
        WatchResult settled = settled(changed, token -> watchTags("n1", token, 300, "<" + EX + "a>", "service"));
        assertThat(settled.getTags().getPeers()).containsOnlyKeys("<" + EX + "a>", "service");
        // A reader that comes back finds what happened meanwhile, at any node.
        cluster.at(other).setStatus("i", InstanceStatus.DRAINING, "for a while");
        WatchResult gone = settled(settled, token -> watchTags(other, token, LONG_MILLIS, "<" + EX + "a>", "service"));
        assertThat(gone.getTags().getPeers()).isEmpty();
        assertThat(gone.getToken()).isEqualTo(first.getToken());
    }

    private interface Poll {
        WatchResult with(String token);
    }

    /** The answer once nothing changes any more. */
    private static WatchResult settled(WatchResult from, Poll poll) {
        WatchResult last = from;
        for (WatchResult next = poll.with(from.getToken()); next.isChanged(); next = poll.with(last.getToken())) {
            last = next;
            if (next.isSetTags() && next.getTags().getPeers().isEmpty()) {
                return last;
            }
        }
        return last;
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3"})
    void meaningIsWatched(int replicas, int nodes) throws Exception {
        start(replicas, nodes);
        String other = "n" + nodes;
        register("n1", "book", EX + "Book");
        WatchResult first = watchMeaning("n1", null, 0, EX + "Work");
        assertThat(first.getSemantic().getMatches()).isEmpty();
        CompletableFuture<WatchResult> waiting =
                CompletableFuture.supplyAsync(() -> watchMeaning("n1", first.getToken(), LONG_MILLIS, EX + "Work"));
        cluster.at(other)
                .putOntology(
                        EX.substring(0, EX.length() - 1),
                        "<" + EX + "Book> " + SUB + " <" + EX + "Work> . <" + EX + "Film> " + SUB + " <" + EX
                                + "Work> .");
        WatchResult book = waiting.get(2 * LONG_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(book.getSemantic().getMatches()).hasSize(1);
        waiting = CompletableFuture.supplyAsync(() -> watchMeaning("n1", book.getToken(), LONG_MILLIS, EX + "Work"));
        register(other, "noise", EX + "Noise");
        register(other, "film", EX + "Film");
        WatchResult film = waiting.get(2 * LONG_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(film.getSemantic().getMatches()).hasSize(2);
        waiting = CompletableFuture.supplyAsync(() -> watchMeaning("n1", film.getToken(), LONG_MILLIS, EX + "Work"));
        cluster.at(other).deregister("book", 0);
        assertThat(waiting.get(2 * LONG_MILLIS, TimeUnit.MILLISECONDS)
                        .getSemantic()
                        .getMatches())
                .hasSize(1);
    }

    @Test
    void watchGoesOnWhenANodeDies() {
        start(2, 3);
        register("n1", "i", EX + "a");
        WatchResult[] last = {watchTags("n1", null, 0, EX + "a")};
        cluster.kill("n3");
        register("n2", "j", EX + "a");
        eventually(() -> {
            WatchResult next = watchTags("n1", last[0].getToken(), 1_000, EX + "a");
            last[0] = next.isChanged() ? next : last[0];
            return last[0].getTags()
                            .getPeers()
                            .getOrDefault(EX + "a", List.of())
                            .size()
                    == 2;
        });
    }

    @Test
    void moreQuestionsOrReadersThanTheMostAreRefused() throws Exception {
        start(1, 1, Map.of("watch.targets", "2", "watch.readers", "3"));
        String token = watchTags("n1", null, 0, "a").getToken();
        watchTags("n1", null, 0, "b");
        assertThatThrownBy(() -> watchOnce(null, "c")).isInstanceOf(Overloaded.class);
        List<CompletableFuture<WatchResult>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(CompletableFuture.supplyAsync(() -> watchTags("n1", token, LONG_MILLIS, "a")));
        }
        eventually(() -> {
            try {
                watchOnce(token, "b");
                return false;
            } catch (Overloaded e) {
                return true;
            }
        });
        assertThatThrownBy(() -> cluster.at("n1").asksOnce().catalog(waitingCatalog()))
                .isInstanceOf(Overloaded.class);
        cluster.at("n1").register(instance("i", "a", "10.0.0.1", 80));
        for (CompletableFuture<WatchResult> each : waiting) {
            assertThat(each.get(2 * LONG_MILLIS, TimeUnit.MILLISECONDS).isChanged())
                    .isTrue();
        }
        assertThat(watchTags("n1", token, 0, "b").isChanged()).isFalse();
    }

    private CatalogQuery waitingCatalog() {
        String token = cluster.at("n1").catalog(new CatalogQuery()).getToken();
        return new CatalogQuery().setToken(token).setWaitMillis(LONG_MILLIS);
    }

    /** Neither callers nor other nodes that wait for changes hold it up: it would be the whole of its drain. */
    @Test
    void nodeThatStopsTellsThoseWhoWaitForChangesAtOnce() throws Exception {
        start(1, 3, Map.of("node.drain", "60s"));
        String token = watchTags("n2", null, 0, "a").getToken();
        CatalogQuery catalog = new CatalogQuery()
                .setToken(cluster.at("n2").catalog(new CatalogQuery()).getToken())
                .setWaitMillis(2 * LONG_MILLIS);
        watchTags("n1", null, 0, "a"); // from now on n1 follows n2
        try (TestingCaller caller = new TestingCaller(cluster.node("n2").address())) {
            CompletableFuture<WatchResult> watch =
                    CompletableFuture.supplyAsync(() -> watchTags("n2", token, 2 * LONG_MILLIS, "a"));
            CompletableFuture<CatalogPage> page = CompletableFuture.supplyAsync(() -> caller.catalog(catalog));
            assertThat(caller.status().isReady()).isTrue();
            CompletableFuture.runAsync(() -> cluster.node("n2").close()).get(LONG_MILLIS, TimeUnit.MILLISECONDS);
            // The catalogue may have been told of a new beginning, since the node leaves.
            eventually(() -> watch.isCompletedExceptionally() && page.isDone());
        }
    }

    @Test
    void whatCannotBeWatchedIsRefused() {
        start(1, 1);
        List<WatchQuery> wrong = new ArrayList<>();
        wrong.add(new WatchQuery(WatchTarget.serviceTags(List.of())));
        wrong.add(new WatchQuery(WatchTarget.serviceTags(List.of("<no good>"))));
        wrong.add(new WatchQuery(WatchTarget.semantic(new SemanticQuery("* * *"))));
        wrong.add(new WatchQuery(WatchTarget.serviceTags(List.of("a"))).setWaitMillis(60_001));
        for (WatchQuery query : wrong) {
            assertThatThrownBy(() -> cluster.at("n1").watch(query)).isInstanceOf(InvalidArgument.class);
        }
        assertThatThrownBy(() -> cluster.at("n1").catalog(new CatalogQuery().setWaitMillis(-1)))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("waitMillis");
        assertThatThrownBy(() -> cluster.at("n1").catalog(new CatalogQuery().setLimit(0)))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("limit");
    }
}
