// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.server.cluster.OperatorStatusKeeper;
import io.tagbahn.server.store.OperatorStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operators' words in a file: a line each, status, time since when the instance is gone ({@code -} where it is there),
 * version, id, reason, separated by tabs; the last line says how many there are.
 *
 * <p>The file is replaced as a whole. Words that come while it is being written go into the next file together.
 */
final class OperatorStatusFile implements OperatorStatusKeeper, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OperatorStatusFile.class);
    private static final String TITLE = "tagbahn operator statuses 2";
    /** Without versions. */
    private static final String TITLE_BEFORE = "tagbahn operator statuses 1";

    private static final String PRESENT = "-";

    private final Path file;
    private final ExecutorService writer;

    private List<OperatorStatus> latest = List.of();
    private @Nullable CompletableFuture<Void> next;

    OperatorStatusFile(Path file) {
        this.file = file;
        this.writer = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "operator-status-file");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** @throws UncheckedIOException where the file is there and can't be read: no word is ever dropped in silence */
    List<OperatorStatus> load() {
        try {
            return Files.exists(file) ? parse(Files.readAllLines(file, StandardCharsets.UTF_8)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": " + e.getMessage(), e);
        }
    }

    private static List<OperatorStatus> parse(List<String> lines) throws IOException {
        int last = lines.size() - 1;
        boolean before = last >= 1 && lines.get(0).equals(TITLE_BEFORE);
        if (last < 1
                || !(before || lines.get(0).equals(TITLE))
                || !lines.get(last).equals(end(last - 1))) {
            throw new IOException("not a whole file of operator statuses: put it aside to start without them");
        }
        List<OperatorStatus> words = new ArrayList<>();
        for (int i = 1; i < last; i++) {
            String[] parts = lines.get(i).split("\t", before ? 4 : 5);
            try {
                int id = before ? 2 : 3;
                words.add(new OperatorStatus(
                        new InstanceId(parts[id]),
                        InstanceStatus.valueOf(parts[0]),
                        parts[id + 1],
                        before ? 1 : Long.parseLong(parts[2]),
                        parts[1].equals(PRESENT) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parts[1]))));
            } catch (RuntimeException e) {
                throw new IOException("line " + (i + 1) + " can't be read: " + e.getMessage(), e);
            }
        }
        return words;
    }

    private static String end(int count) {
        return "end " + count;
    }

    private static String format(List<OperatorStatus> words) {
        StringBuilder text = new StringBuilder(TITLE).append('\n');
        for (OperatorStatus word : words) {
            OptionalLong gone = word.goneSinceEpochMillis();
            text.append(word.status()).append('\t');
            text.append(gone.isPresent() ? Long.toString(gone.getAsLong()) : PRESENT)
                    .append('\t');
            text.append(word.version()).append('\t');
            text.append(word.id()).append('\t').append(word.reason()).append('\n');
        }
        return text.append(end(words.size())).append('\n').toString();
    }

    @Override
    public synchronized CompletionStage<Void> keep(List<OperatorStatus> words) {
        latest = words;
        CompletableFuture<Void> waiting = next;
        if (waiting == null) {
            waiting = new CompletableFuture<>();
            next = waiting;
            writer.execute(this::write);
        }
        return waiting;
    }

    private void write() {
        List<OperatorStatus> words;
        CompletableFuture<Void> written;
        synchronized (this) {
            words = latest;
            written = next;
            next = null;
        }
        if (written == null) {
            return;
        }
        try {
            DataDirectory.replace(file, format(words));
            written.complete(null);
        } catch (IOException e) {
            log.error("operators' statuses hold, but will not survive this process: can't write {}", file, e);
            written.completeExceptionally(new RegistryFault("the status holds, but could not be kept on disk", e));
        }
    }

    /** Writes what is waiting; takes two seconds at most. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(2, TimeUnit.SECONDS)) {
                log.error("operators' statuses may be lost: {} is not written yet", file);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
