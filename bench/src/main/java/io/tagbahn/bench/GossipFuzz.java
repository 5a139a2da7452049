// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.MemberInfo;
import io.tagbahn.thrift.MemberState;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.wire.WireErrors;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.thrift.TBase;

/**
 * Sends hostile bytes to the ports for members of a running cluster, datagrams and connections, and checks every second
 * through each node that all members are alive and that all lookups are right.
 *
 * <p>{@code --nodes HOST:PORT,... --keys yes|no --minutes M --seed S}: public addresses; members listen at the port
 * above. With keys, well-formed packets are forged of all kinds, under the cluster's name. Without, whoever can send
 * packets is a member by design: then leaves and newcomers are forged under another name only, and a member may be
 * suspected until it refutes. Ends with 1 where anything was amiss.
 */
public final class GossipFuzz {

    private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final int BURST = 20;

    /** So that the nodes, and not this one, have the processors: 2,000 datagrams a second. */
    private static final long PAUSE_NANOS = 10_000_000;

    private static final int TAGS = 30;
    private static final String CLUSTER = "tagbahn";

    private final List<InetSocketAddress> nodes;
    private final boolean keys;
    private final SplittableRandom random;
    private final Map<String, Long> sent = new HashMap<>();
    private final List<String> findings = new ArrayList<>();
    private final List<RpcClient> clients = new ArrayList<>();
    private long checks;
    private long suspected;
    private long fewCopies;

    private GossipFuzz(List<InetSocketAddress> nodes, boolean keys, long seed) {
        this.nodes = nodes;
        this.keys = keys;
        this.random = new SplittableRandom(seed);
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) {
            options.put(args[i], args[i + 1]);
        }
        List<InetSocketAddress> nodes = Arrays.stream(
                        options.getOrDefault("--nodes", "127.0.0.1:21300").split(",", -1))
                .map(GossipFuzz::address)
                .toList();
        long seed = Long.parseLong(options.getOrDefault("--seed", "1"));
        long nanos = Math.round(Double.parseDouble(options.getOrDefault("--minutes", "5")) * 60e9);
        GossipFuzz fuzz =
                new GossipFuzz(nodes, options.getOrDefault("--keys", "no").equals("yes"), seed);
        fuzz.run(System.nanoTime() + nanos);
        System.out.printf(
                "seed %d, %s keys: %s; %d checks through each of %d nodes, %d members seen suspected, %d registrations"
                        + " with too few copies%n",
                seed,
                fuzz.keys ? "with" : "without",
                fuzz.sent,
                fuzz.checks,
                nodes.size(),
                fuzz.suspected,
                fuzz.fewCopies);
        fuzz.findings.forEach(finding -> System.out.println("amiss: " + finding));
        System.out.println(fuzz.findings.isEmpty() ? "nothing amiss" : fuzz.findings.size() + " findings");
        System.exit(fuzz.findings.isEmpty() ? 0 : 1);
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private void run(long endNanos) throws Exception {
        try (RpcLoops loops = RpcLoops.start("good-client", 1, System::nanoTime);
                DatagramSocket datagrams = new DatagramSocket()) {
            List<FuzzSocket> streams = new ArrayList<>();
            for (InetSocketAddress node : nodes) {
                clients.add(RpcClient.create(loops, node, RpcClientConfig.defaults(), random.split()));
                streams.add(new FuzzSocket(members(node), random));
            }
            FuzzFrames frames = new FuzzFrames(random);
            ForgedPackets forged = new ForgedPackets(random, membersAt(clients.get(0)));
            register();
            check();
            long checkNanos = System.nanoTime();
            while (System.nanoTime() - endNanos < 0 && findings.size() < 20) {
                int node = random.nextInt(nodes.size());
                for (int i = 0; i < BURST; i++) {
                    byte[] bytes = datagram(forged);
                    datagrams.send(new DatagramPacket(bytes, bytes.length, members(nodes.get(node))));
                }
                streams.get(node).send(stream(frames, forged));
                if (System.nanoTime() - checkNanos >= CHECK_EVERY.toNanos()) {
                    checkNanos = System.nanoTime();
                    register();
                    check();
                    forged.members(membersAt(clients.get(0)));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            for (FuzzSocket stream : streams) {
                stream.close();
            }
            check();
        } catch (IOException | CompletionException e) {
            findings.add("a node does not serve any more: " + e);
        }
    }

    private static InetSocketAddress members(InetSocketAddress node) {
        return new InetSocketAddress(node.getAddress(), node.getPort() + 1);
    }

    private byte[] datagram(ForgedPackets forged) {
        String elsewhere = "tagbahn-" + random.nextInt(100);
        return switch (random.nextInt(8)) {
            case 0, 1 -> counted("garbage", forged.garbage());
            case 2 -> counted("accusations", forged.accusation(CLUSTER, keys));
            case 3 -> counted("accusations of another cluster", forged.accusation(elsewhere, true));
            case 4 -> counted("probes", forged.probe(CLUSTER));
            case 5 -> counted("newcomers", forged.newcomer(keys ? CLUSTER : elsewhere));
            case 6 -> counted("broken", forged.broken(forged.accusation(keys ? CLUSTER : elsewhere, true)));
            default -> counted("broken", forged.broken(forged.probe(elsewhere)));
        };
    }

    private byte[] stream(FuzzFrames frames, ForgedPackets forged) throws IOException {
        return switch (random.nextInt(8)) {
            case 0 -> counted("streams of garbage", frames.randomBytes());
            case 1 -> counted("streams with calls of the public port", frames.valid());
            case 2 -> counted("streams with broken calls", frames.mutant());
            case 3 -> counted("streams with a TLS hello", hello());
            case 4 -> counted("streams with a broken TLS hello", forged.broken(hello()));
            case 5 -> counted("streams with a huge length", new byte[] {0x7f, -1, -1, -1, -128, 1, 0, 1});
            case 6 ->
                counted("streams with HTTP", "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            default -> counted("streams that say nothing", new byte[0]);
        };
    }

    private static byte[] hello() throws IOException {
        try {
            SSLEngine engine = SSLContext.getDefault().createSSLEngine();
            engine.setUseClientMode(true);
            ByteBuffer hello = ByteBuffer.allocate(1 << 15);
            engine.wrap(ByteBuffer.allocate(0), hello);
            return Arrays.copyOf(hello.array(), hello.position());
        } catch (NoSuchAlgorithmException e) {
            throw new IOException(e);
        }
    }

    private byte[] counted(String kind, byte[] bytes) {
        sent.merge(kind, 1L, Long::sum);
        return bytes;
    }

    // ------------------------------------------------------------ what has to stay as it is

    private void register() {
        List<String> tags = new ArrayList<>();
        for (int i = 0; i < TAGS; i++) {
            tags.add("urn:fuzz:" + i);
        }
        RegisterQuery query = new RegisterQuery(new Instance("fuzzed", "10.0.0.1", 8080), tags);
        query.setLeaseMillis(LEASE.toMillis());
        RpcClient node = clients.get(random.nextInt(clients.size()));
        Discovery.advertise_result result =
                call(node, "advertise", new Discovery.advertise_args(query), Discovery.advertise_result::new);
        WireErrors.error(result).ifPresent(error -> findings.add("a registration is refused: " + error));
        if (result.isSetSuccess() && result.getSuccess().getCopiesMade() < Math.min(3, nodes.size())) {
            fewCopies++; // and says so, as where a node has no time to answer
        }
    }

    private void check() {
        checks++;
        for (int i = 0; i < nodes.size(); i++) {
            RpcClient node = clients.get(i);
            long alive = 0;
            for (MemberInfo member : membersAt(node)) {
                if (member.getState() == MemberState.ALIVE) {
                    alive++;
                } else if (member.getState() == MemberState.SUSPECT) {
                    // Forged where there are no keys; a machine without time for its nodes does it as well.
                    suspected++;
                    alive++;
                } else {
                    findings.add(nodes.get(i) + " holds " + member.getId() + " " + member.getState());
                }
            }
            if (alive != nodes.size()) {
                findings.add(nodes.get(i) + " sees " + alive + " members");
            }
            lookUp(node, nodes.get(i));
        }
    }

    private void lookUp(RpcClient node, InetSocketAddress address) {
        for (int i = 0; i < 3; i++) {
            String tag = "urn:fuzz:" + random.nextInt(TAGS);
            Discovery.tagDiscover_result result = call(
                    node,
                    "tagDiscover",
                    new Discovery.tagDiscover_args(new TagDiscoveryQuery(List.of(tag))),
                    Discovery.tagDiscover_result::new);
            if (!result.isSetSuccess()
                    || result.getSuccess()
                                    .getPeers()
                                    .getOrDefault(tag, List.of())
                                    .size()
                            != 1
                    || result.getSuccess().isDegraded()) {
                findings.add(address + " answers " + result + " for " + tag);
            }
        }
    }

    private static List<MemberInfo> membersAt(RpcClient node) {
        return call(node, "members", new Discovery.members_args(), Discovery.members_result::new)
                .getSuccess();
    }

    private static <R extends TBase<?, ?>> R call(
            RpcClient node, String method, TBase<?, ?> arguments, Supplier<R> newResult) {
        return node.call(method, arguments, newResult, DEADLINE)
                .toCompletableFuture()
                .join();
    }
}
