// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The directory of a node for what outlives the process, held by one process at a time. */
final class DataDirectory implements AutoCloseable {

    private static final String LOCK = "lock";
    private static final String NODE_ID = "node-id";

    private final Path path;
    private final FileChannel lockFile;
    private final FileLock lock;

    private DataDirectory(Path path, FileChannel lockFile, FileLock lock) {
        this.path = path;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Makes the directory where it isn't there, and takes hold of it.
     *
     * @throws UncheckedIOException where it can't be made, or another process holds it
     */
    static DataDirectory open(Path path) {
        try {
            Files.createDirectories(path);
            FileChannel file =
                    FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(file);
            if (lock == null) {
                file.close();
                throw new IOException("data directory " + path.toAbsolutePath()
                        + " is in use by another node: give each node its own (node.data-dir)");
            }
            return new DataDirectory(path, file, lock);
        } catch (IOException e) {
            throw new UncheckedIOException(message(path, e), e);
        }
    }

    private static String message(Path path, IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith("data directory") ? message : "data directory " + path + ": " + e;
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by another node in this very process
        }
    }

    Path file(String name) {
        return path.resolve(name);
    }

    /**
     * The id of the node that the directory belongs to; the first call decides it.
     *
     * @param wanted the id from the settings; random where absent
     * @throws InvalidConfig where the directory belongs to a node of another id
     */
    String nodeId(Optional<String> wanted, RandomGenerator random) {
        Path file = file(NODE_ID);
        try {
            if (Files.exists(file)) {
                String known = Files.readString(file, StandardCharsets.UTF_8).strip();
                if (!NodeConfig.isNodeId(known)) {
                    throw new UncheckedIOException(
                            "data directory " + path.toAbsolutePath() + ": " + NODE_ID
                                    + " is damaged: it holds no node id. Restore it, or remove it to start as a new node",
                            new IOException(file.toString()));
                }
                if (wanted.isPresent() && !wanted.get().equals(known)) {
                    throw new InvalidConfig(
                            "node.id",
                            wanted.get(),
                            "data directory " + path.toAbsolutePath() + " belongs to node " + known);
                }
                return known;
            }
            String id = wanted.orElseGet(() -> String.format("node-%016x", random.nextLong()));
            replace(file, id + "\n");
            return id;
        } catch (IOException e) {
            throw new UncheckedIOException(message(path, e), e);
        }
    }

    /** Puts a text into a file so that at any time the file holds either the old text or the new one, whole. */
    static void replace(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() {
        try {
            if (lockFile.isOpen()) {
                lock.release();
                lockFile.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(message(path, e), e);
        }
    }
}
