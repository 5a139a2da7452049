// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher at the root, in a checkout whose build takes a second and leaves a note. */
final class LauncherIT {

    private static final String BUILD = """
            #!/bin/sh
            echo "$@" >>builds.txt
            echo "building noisily"
            [ ! -f fails ] || { echo "the compiler says no"; exit 1; }
            sleep 1
            mkdir -p cli/target/tagbahn/bin
            printf '#!/bin/sh\\nfor arg; do echo "[$arg]"; done\\necho $$\\n' >cli/target/tagbahn/bin/tagbahn
            chmod +x cli/target/tagbahn/bin/tagbahn
            touch cli/target/tagbahn/build.stamp
            """;

    @TempDir
    private Path folder;

    private Path checkout = Path.of("");
    private Path launcher = Path.of("");

    @BeforeEach
    void checkOut() throws IOException {
        checkout = folder.resolve("a checkout");
        launcher = checkout.resolve("tagbahn");
        Files.createDirectories(checkout.resolve("cli").resolve("src").resolve("main"));
        Files.copy(Path.of("..", "tagbahn"), launcher);
        Files.writeString(checkout.resolve("mvnw"), BUILD);
        Files.setPosixFilePermissions(checkout.resolve("mvnw"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(checkout.resolve("pom.xml"), "<project/>\n");
        Files.writeString(source(), "class Main {}\n");
        for (Path file : List.of(checkout.resolve("pom.xml"), source(), source().getParent())) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
        }
    }

    private Path source() {
        return checkout.resolve("cli").resolve("src").resolve("main").resolve("Main.java");
    }

    private long builds() throws IOException {
        Path notes = checkout.resolve("builds.txt");
        return Files.exists(notes) ? Files.readAllLines(notes).size() : 0;
    }

    private TestingProcess start(String... args) {
        return TestingProcess.start(folder, launcher, Map.of(), args);
    }

    @Test
    void firstStartBuildsAndTheSecondDoesNot() throws IOException {
        try (TestingProcess first = start("one", "two words", "", "*")) {
            assertThat(first.exitCode()).isZero();
            assertThat(first.out()).isEqualTo("[one]\n[two words]\n[]\n[*]\n" + first.pid() + "\n");
            assertThat(first.err()).contains("building").doesNotContain("noisily");
        }
        try (TestingProcess second = start()) {
            assertThat(second.exitCode()).isZero();
            assertThat(second.err()).isEmpty();
        }
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void twoStartsAtOnceBuildOnce() throws IOException {
        try (TestingProcess one = start("one");
                TestingProcess two = start("two");
                TestingProcess three = start("three")) {
            assertThat(one.exitCode()).isZero();
            assertThat(two.exitCode()).isZero();
            assertThat(three.exitCode()).isZero();
            assertThat(one.out()).startsWith("[one]");
            assertThat(two.out()).startsWith("[two]");
        }
        assertThat(builds()).isEqualTo(1);
        assertThat(checkout.resolve("cli/target/build.lock")).doesNotExist();
    }

    @Test
    void lockOfAProcessThatDiedIsTakenOver() throws IOException, InterruptedException {
        Process dead = new ProcessBuilder("true").start();
        assertThat(dead.waitFor()).isZero();
        Files.createDirectories(checkout.resolve("cli").resolve("target"));
        Files.createSymbolicLink(checkout.resolve("cli/target/build.lock"), Path.of(Long.toString(dead.pid())));
        try (TestingProcess one = start("one");
                TestingProcess two = start("two")) {
            assertThat(one.exitCode()).isZero();
            assertThat(two.exitCode()).isZero();
        }
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void changedAndRemovedSourcesAreBuiltAnew() throws IOException {
        Path other = source().resolveSibling("Other.java");
        Files.writeString(other, "class Other {}\n");
        try (TestingProcess first = start()) {
            assertThat(first.exitCode()).isZero();
        }
        Files.setLastModifiedTime(source(), FileTime.from(Instant.now().plusMillis(10)));
        Files.setLastModifiedTime(source().getParent(), FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
        try (TestingProcess changed = start()) {
            assertThat(changed.exitCode()).isZero();
        }
        assertThat(builds()).isEqualTo(2);
        Files.delete(other);
        Files.setLastModifiedTime(
                source().getParent(), FileTime.from(Instant.now().plusMillis(10)));
        try (TestingProcess removed = start()) {
            assertThat(removed.exitCode()).isZero();
        }
        assertThat(builds()).isEqualTo(3);
    }

    @Test
    void failedBuildShowsTheEndOfItsLogAndIsTriedAgain() throws IOException {
        Files.createFile(checkout.resolve("fails"));
        try (TestingProcess process = start()) {
            assertThat(process.exitCode()).isEqualTo(3);
            assertThat(process.out()).isEmpty();
            assertThat(process.err())
                    .contains("the compiler says no")
                    .contains("the build failed")
                    .contains("build.log");
        }
        Files.delete(checkout.resolve("fails"));
        try (TestingProcess process = start()) {
            assertThat(process.exitCode()).isZero();
        }
    }

    @Test
    void linkToTheLauncherWorksFromAnywhere() throws IOException {
        Path link = folder.resolve("t");
        Files.createSymbolicLink(folder.resolve("relative"), folder.relativize(launcher));
        Files.createSymbolicLink(link, folder.resolve("relative"));
        try (TestingProcess process = TestingProcess.start(folder, link, Map.of(), "x")) {
            assertThat(process.exitCode()).isZero();
            assertThat(process.out()).startsWith("[x]\n");
        }
    }

    @Test
    void missingCompilerIsSaid() {
        try (TestingProcess process = TestingProcess.start(
                folder, launcher, Map.of("JAVA_HOME", folder.resolve("none").toString()))) {
            assertThat(process.exitCode()).isEqualTo(3);
            assertThat(process.err()).contains("JDK 17").contains("JAVA_HOME");
        }
    }
}
