// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

final class SealedPacketsTest {

    private static final long SEED = 20_261;
    private static final byte[] PACKET = "who is there?".getBytes(java.nio.charset.StandardCharsets.UTF_8);

    private final RandomGenerator random = new SplittableRandom(SEED);
    private final SecretKey first = key(1);
    private final SecretKey second = key(2);

    private static SecretKey key(int fill) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) fill);
        return new SecretKeySpec(bytes, "AES");
    }

    private SealedPackets of(String cluster, SecretKey... keys) {
        return new SealedPackets(() -> List.of(keys), cluster, random, () -> 0);
    }

    private static Optional<String> text(Optional<byte[]> packet) {
        return packet.map(bytes -> new String(bytes, java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void sealedPacketIsOpenedByThoseWithTheKey() {
        SealedPackets receiver = of("c", first);
        assertThat(text(receiver.open(of("c", first).seal(PACKET)))).contains("who is there?");
        assertThat(receiver.counted(PacketCounter.TAKEN)).isEqualTo(1);
    }

    @Test
    void nothingOfThePacketShows() {
        byte[] sealed = of("c", first).seal(new byte[200]);
        int zeros = 0;
        for (byte each : sealed) {
            zeros += each == 0 ? 1 : 0;
        }
        assertThat(zeros).isLessThan(20);
    }

    @Test
    void firstKeySealsAndAllKeysOpen() {
        byte[] old = of("c", first).seal(PACKET);
        byte[] fresh = of("c", second, first).seal(PACKET);
        SealedPackets receiver = of("c", first, second);
        assertThat(receiver.open(old)).isPresent();
        assertThat(receiver.open(fresh)).isPresent();
        assertThat(of("c", first).open(fresh)).isEmpty();
        assertThat(of("c", second).open(fresh)).isPresent();
    }

    @Test
    void changedKeysHoldFromTheNextPacketOn() {
        List<SecretKey> ring = new ArrayList<>(List.of(first));
        SealedPackets sender = new SealedPackets(() -> ring, "c", random, () -> 0);
        SealedPackets receiver = of("c", second);
        assertThat(receiver.open(sender.seal(PACKET))).isEmpty();
        ring.set(0, second);
        assertThat(receiver.open(sender.seal(PACKET))).isPresent();
    }

    @Test
    void packetOfAnotherClusterWithTheSameKeyIsDropped() {
        SealedPackets receiver = of("c", first);
        assertThat(receiver.open(of("d", first).seal(PACKET))).isEmpty();
        assertThat(receiver.counted(PacketCounter.UNOPENED)).isEqualTo(1);
    }

    @Test
    void packetIsTakenOnce() {
        SealedPackets receiver = of("c", first);
        byte[] sealed = of("c", first).seal(PACKET);
        assertThat(receiver.open(sealed)).isPresent();
        assertThat(receiver.open(sealed)).isEmpty();
        assertThat(receiver.counted(PacketCounter.REPLAYED)).isEqualTo(1);
    }

    @Test
    void anyChangedByteSpoilsIt() {
        SealedPackets receiver = of("c", first);
        byte[] sealed = of("c", first).seal(PACKET);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= (byte) (1 << (i % 8));
            assertThat(receiver.open(changed)).as("byte %d", i).isEmpty();
        }
        assertThat(receiver.open(sealed)).as("the right one").isPresent();
    }

    @Test
    void whatIsNoSealedPacketIsDroppedAndCounted() {
        SealedPackets receiver = of("c", first);
        byte[] sealed = of("c", first).seal(PACKET);
        for (int length = 0; length < sealed.length; length++) {
            assertThat(receiver.open(Arrays.copyOf(sealed, length)))
                    .as("%d bytes", length)
                    .isEmpty();
        }
        assertThat(receiver.open(Arrays.copyOf(sealed, 60_000))).isEmpty();
        assertThat(receiver.open(PACKET)).isEmpty();
        for (int i = 0; i < 2_000; i++) {
            byte[] garbage = new byte[random.nextInt(3_000)];
            random.nextBytes(garbage);
            if (i % 2 == 0 && garbage.length > 0) {
                garbage[0] = PacketSeal.SEALED;
            }
            assertThat(receiver.open(garbage)).as("seed %d, round %d", SEED, i).isEmpty();
        }
        assertThat(receiver.counted(PacketCounter.UNSEALED) + receiver.counted(PacketCounter.UNOPENED))
                .isEqualTo(2_000 + 2 + sealed.length);
        assertThat(receiver.counted(PacketCounter.TAKEN)).isZero();
    }

    @Test
    void nonceNeverComesAgainAlsoWhenTheCounterIsUsedUp() {
        SealedPackets sender = new SealedPackets(() -> List.of(first), "c", random, () -> 0, 0xFFFF_FFFFL - 500);
        SealedPackets receiver = of("c", first);
        Set<String> nonces = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            byte[] sealed = sender.seal(PACKET);
            assertThat(nonces.add(Arrays.toString(Arrays.copyOfRange(sealed, 1, 1 + SealedPackets.NONCE_BYTES))))
                    .as("packet %d", i)
                    .isTrue();
            assertThat(receiver.open(sealed)).as("packet %d", i).isPresent();
        }
    }

    @Test
    void largestPacketOfMembershipFitsADatagramOfThisSize() {
        SealedPackets sender = of("c", first);
        int largest = 1_400 - sender.overheadBytes();
        assertThat(sender.seal(new byte[largest])).hasSize(1_400);
        assertThat(of("c", first).open(sender.seal(new byte[largest]))).isPresent();
    }

    @Test
    void nodeWithoutKeysDropsSealedPackets() {
        PlainPackets receiver = new PlainPackets(() -> 0);
        assertThat(receiver.open(of("c", first).seal(PACKET))).isEmpty();
        assertThat(receiver.counted(PacketCounter.SEALED_ELSEWHERE)).isEqualTo(1);
        assertThat(receiver.open(receiver.seal(PACKET))).contains(PACKET);
        assertThat(receiver.open(new byte[0])).isPresent();
    }
}
