// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.server.security.SealedPackets;
import io.tagbahn.thrift.DeregisterQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.wire.WireErrors;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import javax.crypto.spec.SecretKeySpec;
import org.apache.thrift.TBase;

/**
 * Measures what encryption between nodes costs: the same calls at a cluster with keys and at one without, in turn, and
 * the sealing and opening of datagrams.
 *
 * <p>Arguments: HOST:PORT of a node of a cluster without keys, the same of one with keys, rounds (200). Both clusters
 * run already, of as many nodes each.
 */
public final class EncryptionBench {

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int TAGS = 1_000;
    private static final int TAGS_ASKED = 100;
    private static final int WARM_UP_ROUNDS = 100;
    private static final int PACKETS = 200_000;

    private final RpcClient node;
    private final List<Long> registerNanos = new ArrayList<>();
    private final List<Long> lookupNanos = new ArrayList<>();

    private EncryptionBench(RpcClient node) {
        this.node = node;
    }

    public static void main(String[] args) {
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 200;
        try (RpcLoops loops = RpcLoops.start("bench", 1, System::nanoTime);
                RpcClient plainNode = client(loops, args[0]);
                RpcClient keyedNode = client(loops, args[1])) {
            EncryptionBench plain = new EncryptionBench(plainNode);
            EncryptionBench keyed = new EncryptionBench(keyedNode);
            for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
                // In turn, and the first one in turn as well: whatever else the machine does meets both.
                (round % 2 == 0 ? plain : keyed).round(round);
                (round % 2 == 0 ? keyed : plain).round(round);
            }
            print("register " + TAGS + " tags", plain.registerNanos, keyed.registerNanos);
            print("tagDiscover of " + TAGS_ASKED + " tags", plain.lookupNanos, keyed.lookupNanos);
        }
        packets(60);
        packets(1_371);
    }

    private static RpcClient client(RpcLoops loops, String text) {
        int colon = text.lastIndexOf(':');
        InetSocketAddress address =
                new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
        return RpcClient.create(loops, address, RpcClientConfig.defaults(), new SplittableRandom(1));
    }

    private void round(int round) {
        List<String> tags = new ArrayList<>();
        for (int i = 0; i < TAGS; i++) {
            tags.add("http://example.org/things/" + i);
        }
        RegisterQuery query = new RegisterQuery(new Instance("benched", "10.0.0.1", 8080), tags);
        long startNanos = System.nanoTime();
        Discovery.advertise_result granted =
                call("advertise", new Discovery.advertise_args(query), Discovery.advertise_result::new);
        long registered = System.nanoTime() - startNanos;
        WireErrors.error(granted).ifPresent(error -> {
            throw error;
        });

        TagDiscoveryQuery asked = new TagDiscoveryQuery(tags.subList(0, TAGS_ASKED));
        startNanos = System.nanoTime();
        Discovery.tagDiscover_result found =
                call("tagDiscover", new Discovery.tagDiscover_args(asked), Discovery.tagDiscover_result::new);
        long lookedUp = System.nanoTime() - startNanos;
        if (!found.isSetSuccess() || found.getSuccess().getPeersSize() != TAGS_ASKED) {
            throw new IllegalStateException("found " + found);
        }
        LeaseRef lease = new LeaseRef(
                granted.getSuccess().getInstanceId(), granted.getSuccess().getGeneration());
        call("deregister", new Discovery.deregister_args(new DeregisterQuery(lease)), Discovery.deregister_result::new);
        if (round >= 0) {
            registerNanos.add(registered);
            lookupNanos.add(lookedUp);
        }
    }

    private <R extends TBase<?, ?>> R call(String method, TBase<?, ?> arguments, Supplier<R> newResult) {
        return node.call(method, arguments, newResult, DEADLINE)
                .toCompletableFuture()
                .join();
    }

    private static void print(String what, List<Long> plain, List<Long> keyed) {
        System.out.printf(
                "%s: median %.2f ms without keys, %.2f ms with; 90th percentile %.2f and %.2f ms; of %d each%n",
                what, millis(plain, 0.5), millis(keyed, 0.5), millis(plain, 0.9), millis(keyed, 0.9), plain.size());
    }

    private static double millis(List<Long> nanos, double share) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted[(int) (share * (sorted.length - 1))] / 1e6;
    }

    private static void packets(int bytes) {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        SealedPackets sender = seal(key);
        SealedPackets receiver = seal(key);
        byte[] packet = new byte[bytes];
        byte[][] sealed = new byte[PACKETS][];
        double[] sealNanos = new double[5];
        double[] openNanos = new double[5];
        for (int round = 0; round < sealNanos.length; round++) {
            long startNanos = System.nanoTime();
            for (int i = 0; i < PACKETS; i++) {
                sealed[i] = sender.seal(packet);
            }
            long betweenNanos = System.nanoTime();
            for (byte[] each : sealed) {
                if (receiver.open(each).isEmpty()) {
                    throw new IllegalStateException("a packet was not opened");
                }
            }
            sealNanos[round] = (double) (betweenNanos - startNanos) / PACKETS;
            openNanos[round] = (double) (System.nanoTime() - betweenNanos) / PACKETS;
        }
        Arrays.sort(sealNanos);
        Arrays.sort(openNanos);
        System.out.printf(
                "a packet of %d bytes: sealed in %.1f us, opened in %.1f us (best of %d rounds)%n",
                bytes, sealNanos[0] / 1e3, openNanos[0] / 1e3, sealNanos.length);
    }

    private static SealedPackets seal(byte[] key) {
        return new SealedPackets(
                () -> List.of(new SecretKeySpec(key, "AES")), "tagbahn", new SecureRandom(), System::nanoTime);
    }
}
