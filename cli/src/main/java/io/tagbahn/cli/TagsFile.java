// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Tag;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A file of tags, one a line, or N-Triples; UTF-8. Empty lines and lines that begin with {@code #} are skipped. Every
 * complaint names the line.
 */
final class TagsFile {

    /** Most lines read; far more than an instance can register. */
    static final int TAGS_MAX = 1_000_000;

    /** Longest line: a tag, its escapes and a comment. */
    static final int LINE_BYTES_MAX = 1 << 20;

    private static final String STANDARD_INPUT = "-";

    private TagsFile() {}

    /**
     * @param name of the file; {@code -} for standard input
     * @return the tags in the order of the file, each once
     * @throws InvalidArgument naming the file and the line
     */
    static List<Tag> read(String name, InputStream standardInput, Terms terms) {
        boolean standard = name.equals(STANDARD_INPUT);
        String shown = standard ? "standard input" : name;
        try (InputStream file = standard ? standardInput : Files.newInputStream(Path.of(name))) {
            return readAll(shown, new BufferedInputStream(file), terms);
        } catch (NoSuchFileException e) {
            throw new InvalidArgument("--tags-file", "no such file: " + name);
        } catch (IOException e) {
            throw new InvalidArgument("--tags-file", "cannot be read: " + name + ": " + e.getMessage());
        }
    }

    private static List<Tag> readAll(String shown, InputStream in, Terms terms) throws IOException {
        Set<Tag> tags = new LinkedHashSet<>();
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        int number = 0;
        boolean more = true;
        while (more) {
            number++;
            String place = shown + ":" + number;
            more = readLine(in, line, place);
            String text = decoded(line, place);
            if (number == 1 && text.startsWith("\uFEFF")) {
                text = text.substring(1);
            }
            text = text.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                tags.add(tag(text, terms, place));
                if (tags.size() > TAGS_MAX) {
                    throw new InvalidArgument(place, "more than " + TAGS_MAX + " tags");
                }
            }
        }
        return new ArrayList<>(tags);
    }

    private static Tag tag(String text, Terms terms, String place) {
        try {
            return Tag.parse(terms.tag(text));
        } catch (InvalidArgument e) {
            throw e.at(place);
        }
    }

    /** Reads up to the end of the line; false at the end of the file. */
    private static boolean readLine(InputStream in, ByteArrayOutputStream line, String place) throws IOException {
        line.reset();
        while (true) {
            int c = in.read();
            if (c < 0 || c == '\n') {
                return c >= 0;
            }
            if (line.size() == LINE_BYTES_MAX) {
                throw new InvalidArgument(place, "longer than " + LINE_BYTES_MAX + " bytes");
            }
            line.write(c);
        }
    }

    /** Strictly: a substitute character would be registered as if it had been meant. */
    private static String decoded(ByteArrayOutputStream line, String place) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidArgument(place, "not valid UTF-8");
        }
    }
}
