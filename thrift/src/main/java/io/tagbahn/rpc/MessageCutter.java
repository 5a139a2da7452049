// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one connection into messages, in whatever pieces they come.
 *
 * <p>Memory is taken for bytes that have come, never for bytes that were announced. A message is read where it lies.
 * Use: {@link #add}; while {@link #next}, read from {@link #message}, then {@link #consumed}.
 */
final class MessageCutter {

    private static final int KEPT_BYTES_MIN = 256;
    private static final int LENGTH_BYTES = 4;

    private final ByteBufAllocator allocator;
    private final MessageLimits limits;
    private @Nullable WireForm form;
    private @Nullable MessageScanner scanner;
    private @Nullable ByteBuf pending;

    /** Whether the reader and writer index of the bytes are those of a message. */
    private boolean open;

    private int messageStart;
    private int messageEnd;
    private int bytesEnd;

    /** Of a connection whose form its first bytes tell. */
    MessageCutter(ByteBufAllocator allocator, MessageLimits limits) {
        this.allocator = allocator;
        this.limits = limits;
    }

    MessageCutter(ByteBufAllocator allocator, MessageLimits limits, WireForm form) {
        this(allocator, limits);
        use(form);
    }

    private void use(WireForm recognised) {
        form = recognised;
        if (!recognised.framed()) {
            scanner = new MessageScanner(recognised.compact(), limits);
        }
    }

    /** The form of the connection; empty until its first bytes have come. */
    Optional<WireForm> form() {
        return Optional.ofNullable(form);
    }

    /** Takes over bytes that have come. */
    void add(ByteBuf bytes) {
        ByteBuf kept = pending;
        if (kept == null) {
            pending = bytes;
            return;
        }
        if (open) {
            throw new IllegalArgumentException("bytes added while a message is being read");
        }
        int more = bytes.readableBytes();
        if (kept.refCnt() > 1 || kept.isReadOnly() || kept.writableBytes() < more) {
            int have = kept.readableBytes();
            ByteBuf larger = allocator.buffer(Math.max(have + more, Math.min(2 * have, have + limits.frameBytesMax())));
            larger.writeBytes(kept);
            kept.release();
            kept = larger;
            pending = larger;
        }
        kept.writeBytes(bytes);
        bytes.release();
    }

    /** Whether there is a whole message. */
    boolean next() throws BrokenStream {
        if (open) {
            return true;
        }
        ByteBuf bytes = pending;
        if (bytes == null) {
            return false;
        }
        if (form == null) {
            FirstBytes.recognise(bytes, limits.frameBytesMax()).ifPresent(this::use);
            if (form == null) {
                return false;
            }
        }
        int start = bytes.readerIndex();
        messageStart = start;
        MessageScanner unframed = scanner;
        int length;
        if (unframed != null) {
            length = unframed.scan(bytes);
            if (length < 0) {
                return false;
            }
            unframed.reset();
        } else {
            length = frameLength(bytes);
            start += LENGTH_BYTES;
            if (length < 0) {
                return false;
            }
        }
        open = true;
        bytesEnd = bytes.writerIndex();
        messageEnd = start + length;
        bytes.setIndex(start, messageEnd);
        return true;
    }

    /** Length of the frame that begins the bytes; -1 where it isn't all there. */
    private int frameLength(ByteBuf bytes) throws BrokenStream {
        int count = bytes.readableBytes();
        if (count < LENGTH_BYTES) {
            return -1;
        }
        int start = bytes.readerIndex();
        int length = bytes.getInt(start);
        if (length <= 0 || length > limits.frameBytesMax()) {
            throw new BrokenStream(
                    CloseReason.PROTOCOL_ERROR,
                    "frame of " + length + " bytes; 1.." + limits.frameBytesMax() + " are allowed");
        }
        return count - LENGTH_BYTES < length ? -1 : length;
    }

    /** The message; it begins and ends at the buffer's reader and writer index. */
    ByteBuf message() {
        ByteBuf bytes = pending;
        if (bytes == null || !open) {
            throw new IllegalStateException("no message");
        }
        return bytes;
    }

    /** Whether the head of the message that broke off can be read. */
    boolean brokeBehindHead() {
        return scanner != null && scanner.headComplete();
    }

    /** The bytes that are not yet a message, or none. */
    @Nullable
    ByteBuf rest() {
        return pending;
    }

    /** Passes on to the next message. */
    void consumed() {
        ByteBuf bytes = message();
        open = false;
        bytes.setIndex(messageEnd, bytesEnd);
        if (!bytes.isReadable()) {
            release();
        }
    }

    /** Leaves the message for later. */
    void putBack() {
        message().setIndex(messageStart, bytesEnd);
        open = false;
    }

    /** Bytes of a message that is not all there. */
    int partialBytes() {
        ByteBuf bytes = pending;
        return bytes == null || open ? 0 : bytes.readableBytes();
    }

    /** Memory held, in bytes. */
    int heldBytes() {
        ByteBuf bytes = pending;
        return bytes == null ? 0 : bytes.capacity();
    }

    /** Moves a small rest out of a large buffer, so that waiting for the next bytes holds little memory. */
    void trim() {
        ByteBuf bytes = pending;
        if (bytes == null || open) {
            return;
        }
        int have = bytes.readableBytes();
        if (bytes.capacity() > KEPT_BYTES_MIN && have < bytes.capacity() / 4) {
            ByteBuf smaller = allocator.buffer(Math.max(KEPT_BYTES_MIN, 2 * have));
            smaller.writeBytes(bytes);
            bytes.release();
            pending = smaller;
        }
    }

    void release() {
        ByteBuf bytes = pending;
        pending = null;
        open = false;
        if (bytes != null) {
            bytes.release();
        }
    }
}
