// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.client.KeptAnswers.Good;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which answers outlive the process: a mark, the version of the form, a checksum of what follows, the answers.
 *
 * <p>It is replaced as a whole. One that can't be read, is damaged, or is of another version is as good as none: that is
 * logged, and it is overwritten in time.
 */
final class KeptFile {

    private static final int MARK = 0x5442_4b41;
    private static final int VERSION = 1;
    private static final int HEAD_BYTES = 2 * Integer.BYTES + Long.BYTES;
    private static final Logger log = LoggerFactory.getLogger(KeptFile.class);

    private final Path path;
    private final long bytesMax;
    private final InstantSource clock;

    /** @param bytesMax longest file that is read or written */
    KeptFile(Path path, long bytesMax, InstantSource clock) {
        this.path = path;
        this.bytesMax = bytesMax;
        this.clock = clock;
    }

    List<Good<?>> read() {
        try {
            if (!Files.exists(path)) {
                return List.of();
            }
            if (Files.size(path) > bytesMax) {
                throw new IOException(Files.size(path) + " bytes are more than " + bytesMax);
            }
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
            if (bytes.remaining() < HEAD_BYTES || bytes.getInt() != MARK) {
                throw new IOException("it holds something else");
            }
            int version = bytes.getInt();
            if (version != VERSION) {
                throw new IOException("version " + version + " is not " + VERSION);
            }
            long sum = bytes.getLong();
            if (sum != sum(bytes.duplicate())) {
                throw new IOException("its checksum is wrong");
            }
            DataInputStream in =
                    new DataInputStream(new ByteArrayInputStream(bytes.array(), bytes.position(), bytes.remaining()));
            return ThriftKept.fromBytes(in, clock.millis());
        } catch (IOException e) {
            log.warn("the kept answers in {} are not used: {}", path, e.getMessage());
            return List.of();
        }
    }

    /** Replaces the file; where that fails, it stays as it was. */
    void write(List<Good<?>> answers) throws IOException {
        byte[] body = ThriftKept.toBytes(answers, clock.millis());
        if (body.length + (long) HEAD_BYTES > bytesMax) {
            throw new IOException(body.length + " bytes are more than " + bytesMax);
        }
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES)
                .putInt(MARK)
                .putInt(VERSION)
                .putLong(sum(ByteBuffer.wrap(body)))
                .flip();
        Path whole = path.toAbsolutePath();
        Path fresh = Files.createTempFile(whole.getParent(), whole.getFileName().toString(), ".new");
        try {
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                writeAll(channel, head);
                writeAll(channel, ByteBuffer.wrap(body));
                channel.force(true);
            }
            Files.move(fresh, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static long sum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return sum.getValue();
    }
}
