// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Folders of keys for tests, each made once in a run: that takes a second for each certificate. */
public final class TestingKeys {

    private static final Map<String, Path> MADE = new ConcurrentHashMap<>();

    private TestingKeys() {}

    /** A copy of the keys of a cluster, with certificates for the nodes a and b, and for every node. */
    public static KeyFolder of(String cluster, Path target) {
        return of("one", cluster, target);
    }

    /** The same, or what there is already, of another authority and with other keys for each name. */
    public static KeyFolder of(String authority, String cluster, Path target) {
        try {
            if (Files.exists(target)) {
                return KeyFolder.open(target, new SecureRandom());
            }
            copy(MADE.computeIfAbsent(authority + " " + cluster, key -> made(cluster)), target);
            return KeyFolder.open(target, new SecureRandom());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path made(String cluster) {
        try {
            Path folder = Files.createTempDirectory("keys-");
            KeyFolder.create(folder, cluster, List.of("a", "b"), new SecureRandom())
                    .add(Optional.empty());
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.sorted().toList()) {
                Files.copy(
                        file,
                        to.resolve(from.relativize(file).toString()),
                        StandardCopyOption.COPY_ATTRIBUTES,
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
