// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.client.KeptAnswers.Good;
import io.tagbahn.model.Degree;
import io.tagbahn.model.Instance;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptFileTest {

    private static final long BYTES_MAX = 1 << 20;
    private static final Locality PLACE =
            new Locality(Optional.of("node7"), Optional.of("zone-a"), Optional.of("north"));

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Path path;
    private KeptFile file;

    @BeforeEach
    void open() {
        path = folder.resolve("answers");
        file = new KeptFile(path, BYTES_MAX, () -> now);
    }

    private static Instance instance(int port) {
        return SimulatedClient.instance("books", port)
                .withLocality(PLACE)
                .withNamedPorts(Map.of("admin", 9090))
                .withMetadata(Map.of("version", "1.4"))
                .withWeight(50);
    }

    private static List<Good<?>> answers() {
        String tag = "http://example.org/obras#Livro";
        MatchQuery query = MatchQuery.of(TagPattern.parse("http://example.org/obras#Obra"))
                .inMode(MatchMode.ANY)
                .explained()
                .limitedTo(5);
        SemanticMatch match =
                new SemanticMatch(tag, Degree.SPECIALISES, 1, List.of("<a> <b> <c>"), List.of(instance(2)));
        return List.of(
                new Good<>(
                        new Question.Named(new ServiceName("books")),
                        new ServicePeers(List.of(instance(1), instance(2)), false),
                        Duration.ofSeconds(3)),
                new Good<>(
                        new Question.Tagged(List.of(tag, "films")),
                        new TagPeers(Map.of(tag, List.of(instance(1))), true),
                        Duration.ofSeconds(2)),
                new Good<>(
                        new Question.Meant(query, Optional.of(PLACE)),
                        new SemanticAnswer(List.of(match), "v1", false, List.of("no such term: x")),
                        Duration.ofSeconds(1)));
    }

    @Test
    void whatWasWrittenIsReadAndHasAgedMeanwhile() throws Exception {
        file.write(answers());
        now = now.plusSeconds(60);
        List<Good<?>> read = file.read();
        assertThat(read).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(read.get(i).question()).isEqualTo(answers().get(i).question());
            assertThat(read.get(i).answer()).isEqualTo(answers().get(i).answer());
            assertThat(read.get(i).age()).isEqualTo(answers().get(i).age().plusSeconds(60));
        }
    }

    @Test
    void aClockThatWasSetBackMakesNoAnswerYoungerThanNow() throws Exception {
        file.write(answers());
        now = now.minusSeconds(3_600);
        assertThat(file.read()).allSatisfy(good -> assertThat(good.age()).isZero());
    }

    @Test
    void whereThereIsNoFileThereAreNoAnswers() {
        assertThat(file.read()).isEmpty();
    }

    @Test
    void aFileThatWasDamagedAnywhereIsNotUsed() throws Exception {
        file.write(answers());
        byte[] whole = Files.readAllBytes(path);
        SplittableRandom random = new SplittableRandom(9);
        for (int trial = 0; trial < 300; trial++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
            Files.write(path, damaged);
            assertThat(file.read()).as("trial " + trial).isEmpty();
        }
        for (int length = 0; length < whole.length; length += 7) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertThat(file.read()).as("of " + length + " bytes").isEmpty();
        }
        Files.write(path, whole);
        assertThat(file.read()).hasSize(3);
    }

    @Test
    void anotherVersionAndSomethingElseAreNotUsed() throws Exception {
        file.write(answers());
        byte[] whole = Files.readAllBytes(path);
        whole[7]++; // the version, which the checksum doesn't cover
        Files.write(path, whole);
        assertThat(file.read()).isEmpty();
        Files.writeString(path, "these are the notes of somebody else");
        assertThat(file.read()).isEmpty();
    }

    @Test
    void longerFilesThanMayBeAreNeitherReadNorWritten() throws Exception {
        file.write(answers());
        byte[] before = Files.readAllBytes(path);
        KeptFile small = new KeptFile(path, before.length - 1, () -> now);
        assertThat(small.read()).isEmpty();
        assertThatThrownBy(() -> small.write(answers())).isInstanceOf(IOException.class);
        assertThat(Files.readAllBytes(path)).isEqualTo(before);
    }

    @Test
    void writingLeavesNothingElseBehind() throws Exception {
        file.write(answers());
        file.write(answers());
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(path);
        }
        KeptFile nowhere = new KeptFile(folder.resolve("missing").resolve("answers"), BYTES_MAX, () -> now);
        assertThatThrownBy(() -> nowhere.write(answers())).isInstanceOf(IOException.class);
    }
}
