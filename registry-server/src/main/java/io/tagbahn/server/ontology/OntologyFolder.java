// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ontology;

import io.tagbahn.peer.OntologyHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents in a folder, a file each: a line that says what it is, a line for each field, an empty line, the document.
 *
 * <p>A file is replaced as a whole. One that is damaged is renamed and told of; the others are not affected.
 */
public final class OntologyFolder implements OntologyFiles {

    private static final Logger log = LoggerFactory.getLogger(OntologyFolder.class);
    private static final String TITLE = "tagbahn ontology 1";
    private static final String ENDING = ".ontology";
    private static final int HEADER_LINES = 7;

    private final Path folder;

    /** @param folder made when there is something to keep */
    public OntologyFolder(Path folder) {
        this.folder = folder;
    }

    private static final class Kept {
        private final OntologyHead head;
        private final byte[] document;

        Kept(OntologyHead head, byte[] document) {
            this.head = head;
            this.document = document;
        }
    }

    @Override
    public List<OntologyHead> load() throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        List<OntologyHead> heads = new ArrayList<>();
        for (Path file : files) {
            try {
                Kept kept = parse(Files.readAllBytes(file));
                if (!file.equals(file(kept.head.iri()))) {
                    throw new IOException("it is named after another IRI than " + kept.head.iri());
                }
                heads.add(kept.head);
            } catch (IOException e) {
                setAside(file, e);
            }
        }
        return heads;
    }

    private static void setAside(Path file, IOException reason) throws IOException {
        Path damaged = file.resolveSibling(file.getFileName() + ".damaged");
        Files.move(file, damaged, StandardCopyOption.REPLACE_EXISTING);
        log.warn("an ontology can't be read from {}: {}; it is now {}", file, reason.getMessage(), damaged);
    }

    private static Kept parse(byte[] bytes) throws IOException {
        String[] lines = new String[HEADER_LINES];
        int from = 0;
        for (int i = 0; i < HEADER_LINES; i++) {
            int end = from;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            if (end == bytes.length) {
                throw new IOException("its head is cut off");
            }
            lines[i] = new String(bytes, from, end - from, StandardCharsets.UTF_8);
            from = end + 1;
        }
        String head = String.join("\n", Arrays.copyOf(lines, HEADER_LINES - 1)) + "\n";
        if (!lines[0].equals(TITLE) || !lines[HEADER_LINES - 1].equals(ContentHash.of(head))) {
            throw new IOException("its head is damaged");
        }
        byte[] document = Arrays.copyOfRange(bytes, from, bytes.length);
        OntologyHead kept =
                new OntologyHead(lines[1], number(lines[2]), lines[3], lines[4], Math.toIntExact(number(lines[5])));
        boolean whole = kept.isRemoved()
                ? document.length == 0
                : ContentHash.of(document).equals(kept.contentHash());
        if (!whole || document.length != kept.bytes()) {
            throw new IOException("the document is damaged");
        }
        return new Kept(kept, document);
    }

    private static long number(String text) throws IOException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException("'" + text + "' is no number", e);
        }
    }

    private Path file(String iri) {
        return folder.resolve(ContentHash.of(iri) + ENDING);
    }

    @Override
    public void write(OntologyHead head, byte[] document) throws IOException {
        Files.createDirectories(folder);
        String text = String.join(
                "\n",
                TITLE,
                head.iri(),
                String.valueOf(head.version()),
                head.contentHash(),
                head.mediaType(),
                String.valueOf(document.length),
                "");
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + document.length + 128);
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        out.writeBytes((ContentHash.of(text) + "\n").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(document);
        replace(file(head.iri()), out.toByteArray());
    }

    /** At any time the file holds either the old document or the new one, whole. */
    private static void replace(Path file, byte[] bytes) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public Optional<byte[]> read(OntologyHead head) throws IOException {
        try {
            Kept kept = parse(Files.readAllBytes(file(head.iri())));
            return kept.head.equals(head) ? Optional.of(kept.document) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
