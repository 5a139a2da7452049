// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Datagrams under AES-256-GCM: a byte of the form, 12 bytes of nonce, the packet encrypted, 16 bytes of tag.
 *
 * <p>The associated data are the first byte and the cluster's name, so that two clusters with one key don't hear each
 * other. The first key of the ring seals, all of them open.
 *
 * <p>A nonce never comes again under one key: its first 8 bytes are drawn at random by each process at its start, and
 * anew when its counter is used up; its last 4 bytes count the packets. Two of n processes in the life of a key have
 * the same 8 bytes with a probability below n² / 2^65: 3 in 10^8 for a million starts. The receiver takes the same two
 * parts for sender and number, and takes no packet twice.
 */
public final class SealedPackets extends PacketSeal {

    static final int NONCE_BYTES = 12;
    static final int TAG_BYTES = 16;
    static final int OVERHEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

    /** Longer ones are not looked at: members send up to 1,400 bytes. */
    static final int SEALED_BYTES_MAX = 2_048;

    /** Packets under one draw of the nonce's first bytes. */
    private static final long COUNTER_MAX = 0xFFFF_FFFFL;

    private final Supplier<List<SecretKey>> keys;
    private final byte[] associated;
    private final RandomGenerator random;
    private final Cipher sealing;
    private final Cipher opening;
    private final ReplayWindow window = new ReplayWindow();
    private final RareWarning warning;
    private long process;
    private long counter;

    /**
     * A seal of a process that has just begun.
     *
     * @param keys those that hold at the moment, the one in use first
     * @param random cryptographically strong
     */
    public SealedPackets(Supplier<List<SecretKey>> keys, String cluster, RandomGenerator random, LongSupplier ticker) {
        this(keys, cluster, random, ticker, 0);
    }

    /** @param counter how many packets count as sent before */
    SealedPackets(
            Supplier<List<SecretKey>> keys, String cluster, RandomGenerator random, LongSupplier ticker, long counter) {
        this.keys = keys;
        byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
        this.associated =
                ByteBuffer.allocate(1 + name.length).put(SEALED).put(name).array();
        this.random = random;
        this.sealing = cipher();
        this.opening = cipher();
        this.warning = new RareWarning(ticker);
        this.process = random.nextLong();
        this.counter = counter;
    }

    private static Cipher cipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES-GCM, which every Java has to have", e);
        }
    }

    @Override
    public int overheadBytes() {
        return OVERHEAD_BYTES;
    }

    @Override
    public byte[] seal(byte[] packet) {
        if (counter > COUNTER_MAX) {
            process = random.nextLong();
            counter = 0;
        }
        byte[] sealed = new byte[packet.length + OVERHEAD_BYTES];
        ByteBuffer.wrap(sealed).put(SEALED).putLong(process).putInt((int) counter);
        counter++;
        try {
            sealing.init(
                    Cipher.ENCRYPT_MODE,
                    keys.get().get(0),
                    new GCMParameterSpec(TAG_BYTES * Byte.SIZE, sealed, 1, NONCE_BYTES));
            sealing.updateAAD(associated);
            sealing.doFinal(packet, 0, packet.length, sealed, 1 + NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a packet of " + packet.length + " bytes can't be sealed", e);
        }
        return sealed;
    }

    @Override
    public Optional<byte[]> open(byte[] bytes) {
        if (bytes.length < OVERHEAD_BYTES || bytes.length > SEALED_BYTES_MAX || bytes[0] != SEALED) {
            count(PacketCounter.UNSEALED);
            warning.say("datagrams come in that are not encrypted and were dropped:"
                    + " from a node without cluster.keys-dir, or a stranger?");
            return Optional.empty();
        }
        Optional<byte[]> packet = keys.get().stream()
                .map(key -> open(bytes, key))
                .flatMap(Optional::stream)
                .findFirst();
        if (packet.isEmpty()) {
            count(PacketCounter.UNOPENED);
            warning.say("datagrams come in that no key in cluster.keys-dir opens:"
                    + " from a node with other keys or of another cluster, or a stranger?");
            return packet;
        }
        ByteBuffer nonce = ByteBuffer.wrap(bytes, 1, NONCE_BYTES);
        if (!window.take(nonce.getLong(), Integer.toUnsignedLong(nonce.getInt()))) {
            count(PacketCounter.REPLAYED);
            return Optional.empty();
        }
        count(PacketCounter.TAKEN);
        return packet;
    }

    private Optional<byte[]> open(byte[] bytes, SecretKey key) {
        try {
            opening.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, bytes, 1, NONCE_BYTES));
            opening.updateAAD(associated);
            return Optional.of(opening.doFinal(bytes, 1 + NONCE_BYTES, bytes.length - 1 - NONCE_BYTES));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a packet of " + bytes.length + " bytes can't be opened", e);
        }
    }
}
