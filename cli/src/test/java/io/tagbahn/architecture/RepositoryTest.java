// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The repository's files, looked over. */
final class RepositoryTest {

    private static final Path ROOT = root();
    private static final Set<String> NOT_OURS =
            Set.of("target", ".git", "node_modules", ".idea", ".vscode", "__pycache__", ".mvn");
    private static final Set<String> TEXT =
            Set.of("java", "md", "xml", "thrift", "py", "js", "mjs", "sh", "yml", "yaml", "html", "css", "properties");
    private static final Set<String> DATA = Set.of("ttl", "nt", "owl", "rdf", "jsonld", "tsv");

    private final List<Path> files = files();

    @Test
    void everyJavaFileNamesItsLicence() {
        assertThat(offenders("java", (file, text) -> !text.startsWith("// SPDX-License-Identifier: Apache-2.0\n")))
                .isEmpty();
    }

    @Test
    void nothingIsLeftForLater() {
        // Written so that this file does not find itself.
        Pattern later = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b");
        assertThat(offenders(TEXT, (file, text) -> later.matcher(text).find())).isEmpty();
    }

    @Test
    void testsDoNotSleep() {
        Pattern sleep = Pattern.compile("Thread\\.sl" + "eep|TimeUnit\\.\\w+\\.sl" + "eep");
        assertThat(offenders(
                        "java",
                        (file, text) -> isTest(file) && sleep.matcher(text).find()))
                .isEmpty();
    }

    @Test
    void noTestIsSwitchedOff() {
        Pattern switchedOff = Pattern.compile("@Dis" + "abled\\b");
        assertThat(offenders(
                        "java",
                        (file, text) ->
                                isTest(file) && switchedOff.matcher(text).find()))
                .isEmpty();
    }

    @Test
    void everyDataFileHasItsLicenceBesideIt() {
        List<Path> without = files.stream()
                .filter(file -> DATA.contains(extension(file)))
                .filter(file -> !hasLicences(file))
                .map(ROOT::relativize)
                .toList();
        assertThat(without).isEmpty();
    }

    @Test
    void textFilesEndTheirLinesAsUnixDoes() {
        assertThat(offenders(
                        TEXT, (file, text) -> text.indexOf('\r') >= 0 || (!text.isEmpty() && !text.endsWith("\n"))))
                .isEmpty();
    }

    @Test
    void classesStayShortEnoughToRead() {
        assertThat(offenders("java", (file, text) -> text.lines().count() > 650))
                .isEmpty();
    }

    private List<Path> offenders(String extension, BiPredicate<Path, String> offends) {
        return offenders(Set.of(extension), offends);
    }

    private List<Path> offenders(Set<String> extensions, BiPredicate<Path, String> offends) {
        return files.stream()
                .filter(file -> extensions.contains(extension(file)))
                .filter(file -> offends.test(file, text(file)))
                .map(ROOT::relativize)
                .toList();
    }

    /** A folder's licences hold for what is in it, at whatever depth. */
    private static boolean hasLicences(Path file) {
        for (Path folder = file.getParent(); folder != null && !folder.equals(ROOT); folder = folder.getParent()) {
            if (Files.exists(folder.resolve("LICENCES.md")) || Files.exists(folder.resolve("LICENCE.md"))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTest(Path file) {
        return file.toString().contains("/src/test/");
    }

    private static String extension(Path file) {
        String name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is no UTF-8", e);
        }
    }

    private static List<Path> files() {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return NOT_OURS.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(found).as("files below " + ROOT).hasSizeGreaterThan(50);
        return found;
    }

    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("mvnw"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no mvnw above " + start);
    }
}
