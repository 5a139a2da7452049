// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyFolderTest {

    @TempDir
    private Path folder;

    private Path keys = Path.of("");

    @BeforeEach
    void makeKeys() {
        keys = folder.resolve("keys");
        TestingKeys.of("books", keys);
    }

    private KeyFolder opened() throws IOException {
        return KeyFolder.open(keys, new SecureRandom());
    }

    @Test
    void keysAreThereForTheNodesThatWereNamed() throws Exception {
        NodeKeys read = NodeKeys.read(opened().of("a"), "books", "a");
        assertThat(read.name()).isEqualTo(new CertifiedName("books", Optional.of("a")));
        assertThat(read.packets()).hasSize(1);
        Path every = keys.resolve("every-node");
        assertThat(opened().of("z")).isEqualTo(every);
        assertThat(NodeKeys.read(every, "books", "z").packets()).isEqualTo(read.packets());
        assertThat(opened().handedOut()).containsExactly(every, opened().of("a"), opened().of("b"));
        Path added = opened().add(Optional.of("c"));
        assertThat(opened().of("c")).isEqualTo(added);
        assertThat(NodeKeys.read(added, "books", "c").name()).hasToString("tagbahn:books/c");
    }

    @Test
    void filesAreTheirOwnersAlone() throws IOException {
        try (Stream<Path> all = Files.walk(keys)) {
            for (Path each : all.toList()) {
                if (Files.isDirectory(each)) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                            .as(each.toString())
                            .isEqualTo("rwx------");
                } else if (!each.toString().endsWith(".p12")) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                            .as(each.toString())
                            .isEqualTo("rw-------");
                }
            }
        }
    }

    @Test
    void whatIsHandedOutDoesNotHoldTheKeyOfTheAuthority() throws IOException {
        try (Stream<Path> files = Files.list(keys.resolve("nodes").resolve("a"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(NodeKeys.FILES);
        }
    }

    @Test
    void keysAreNotMadeOverOthersNorFoundWhereNoneAre() {
        assertThatThrownBy(() -> KeyFolder.create(keys, "books", List.of(), new SecureRandom()))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> KeyFolder.open(folder, new SecureRandom())).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void rotationLeavesNothingOfTheOldKeysInThreeSteps() throws Exception {
        NodeKeys before = read();
        assertThat(opened().rotate()).isEqualTo(KeyFolder.Step.ADDED);
        NodeKeys added = read();
        assertThat(added.packets()).hasSize(2).startsWith(before.packets().get(0));
        assertThat(added.certificate()).isEqualTo(before.certificate());
        assertThat(opened().rotate()).isEqualTo(KeyFolder.Step.SWITCHED);
        NodeKeys switched = read();
        assertThat(switched.packets())
                .containsExactly(added.packets().get(1), added.packets().get(0));
        assertThat(switched.certificate()).isNotEqualTo(before.certificate());
        assertThat(opened().rotate()).isEqualTo(KeyFolder.Step.AT_REST);
        NodeKeys after = read();
        assertThat(after.packets()).containsExactly(added.packets().get(1));
        assertThat(after.certificate()).isEqualTo(switched.certificate());
        Set<Object> keysSeen =
                new HashSet<>(List.of(before.packets().get(0), after.packets().get(0)));
        assertThat(opened().rotate()).isEqualTo(KeyFolder.Step.ADDED);
        assertThat(keysSeen.add(read().packets().get(1))).as("a third key").isTrue();
    }

    private NodeKeys read() throws Exception {
        return NodeKeys.read(opened().of("a"), "books", "a");
    }

    @Test
    void directoryThatIsNotTheNodesIsRefusedWithItsReason() throws Exception {
        Path mine = opened().of("a");
        assertRefused(mine, "books", "b", "is for node a");
        assertRefused(mine, "music", "a", "is for cluster 'books'");
        assertRefused(folder, "books", "a", "tagbahn keys init");
        Path file = mine.resolve("gossip.keys");
        String key = Files.readString(file);
        Files.writeString(file, "# none\n");
        assertRefused(mine, "books", "a", "0 keys");
        Files.writeString(file, key.repeat(5));
        assertRefused(mine, "books", "a", "5 keys");
        Files.writeString(file, "AAAA\n");
        assertRefused(mine, "books", "a", "3 bytes, not 32");
        Files.writeString(file, "!" + key);
        assertThatThrownBy(() -> NodeKeys.read(mine, "books", "a"))
                .isInstanceOf(BadKeys.class)
                .hasMessageContaining("no base64")
                .hasMessageNotContaining(key.strip());
        Files.writeString(file, key);
        Path other = opened().of("b");
        Files.writeString(mine.resolve("node.key"), Files.readString(other.resolve("node.key")));
        assertRefused(mine, "books", "a", "not the key of the certificate");
        Files.writeString(mine.resolve("node.key"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertRefused(mine, "books", "a", "no private key");
        Files.writeString(mine.resolve("ca.pem"), "nothing\n");
        assertRefused(mine, "books", "a", "node.key");
        Files.writeString(mine.resolve("node.pem"), "nothing\n");
        assertRefused(mine, "books", "a", "node.pem");
    }

    private static void assertRefused(Path directory, String cluster, String node, String why) {
        assertThatThrownBy(() -> NodeKeys.read(directory, cluster, node))
                .isInstanceOf(BadKeys.class)
                .hasMessageContaining(why);
    }

    @Test
    void keysThatAreReplacedByBadOnesStay() throws Exception {
        Path mine = opened().of("a");
        try (ClusterKeys held = ClusterKeys.open(mine, "books", "a", InstantSource.system())) {
            var before = held.packetKeys();
            Files.writeString(mine.resolve("gossip.keys"), "half a k");
            held.refresh();
            assertThat(held.packetKeys()).isEqualTo(before);
            assertThat(held.reloadsFailed()).isEqualTo(1);
            opened().rotate();
            held.refresh();
            assertThat(held.packetKeys()).hasSize(2);
            assertThat(held.reloads()).isEqualTo(1);
            held.refresh();
            assertThat(held.reloads()).as("nothing has changed since").isEqualTo(1);
        }
    }
}
