// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.rpc.CloseReason;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.rpc.RpcTls;
import io.tagbahn.thrift.peer.Gossip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections between nodes, and what comes of others. */
final class PeerTlsTest {

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration HANDSHAKE_MAX = Duration.ofMillis(500);
    private static final Duration WAIT_MAX = Duration.ofSeconds(20);
    private static final int CONNECTIONS_MAX = 20;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final RpcLoops loops = opened(RpcLoops.start("tls-test", 2, System::nanoTime));

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.add(part);
        return part;
    }

    private ClusterKeys keys(String authority, String cluster, String node) {
        KeyFolder keys = TestingKeys.of(authority, cluster, folder.resolve(authority + "-" + cluster));
        try {
            return opened(ClusterKeys.open(keys.of(node), cluster, node, InstantSource.system()));
        } catch (BadKeys e) {
            throw new IllegalStateException(e);
        }
    }

    /** Answers whatever it is sent, and the caller's name in front. */
    private RpcServer server(Optional<RpcTls> tls) {
        RpcService service = RpcService.builder()
                .method("exchange", Gossip.exchange_args::new, (arguments, call) -> {
                    Gossip.exchange_result result = new Gossip.exchange_result();
                    result.setSuccess((call.peerName().orElse("nobody") + " " + arguments.getSender()).getBytes(UTF_8));
                    if (arguments.getMessage().length > 0) {
                        result.setSuccess(arguments.getMessage());
                    }
                    return CompletableFuture.completedFuture(result);
                })
                .build();
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RpcLimits limits =
                RpcLimits.defaults().withFirstFrameTimeout(HANDSHAKE_MAX).withConnectionsMax(CONNECTIONS_MAX);
        return opened(
                tls.isPresent()
                        ? RpcServer.start(loops, free, service, limits, tls.get())
                        : RpcServer.start(loops, free, service, limits));
    }

    private RpcClient client(RpcServer server, Optional<RpcTls> tls) {
        return opened(RpcClient.create(
                loops,
                server.address(),
                RpcClientConfig.defaults()
                        .withConnectTimeout(Duration.ofSeconds(2))
                        .withWhileDisconnected(RpcClientConfig.WhileDisconnected.FAIL),
                tls,
                new SplittableRandom(1)));
    }

    private static CompletableFuture<byte[]> asked(RpcClient client, byte[] message) {
        return client.call(
                        "exchange",
                        new Gossip.exchange_args().setSender("x").setMessage(message),
                        Gossip.exchange_result::new,
                        DEADLINE)
                .thenApply(Gossip.exchange_result::getSuccess)
                .toCompletableFuture();
    }

    private static byte[] ask(RpcClient client, byte[] message) throws Exception {
        return asked(client, message).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    private static void assertFails(RpcClient client, String... why) {
        assertThatThrownBy(() -> ask(client, new byte[0])).cause().message().contains(why);
    }

    private static void awaitCloses(RpcServer server, CloseReason reason, long atLeast) {
        await().alias(reason + " of " + server.stats())
                .atMost(WAIT_MAX)
                .until(() -> server.stats().closes(reason) >= atLeast);
    }

    @Test
    void bothSidesKnowEachOtherByName() throws Exception {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        RpcClient client = client(server, Optional.of(keys("one", "books", "b").connecting(Optional.of("a"))));
        assertThat(new String(ask(client, new byte[0]), UTF_8)).isEqualTo("b x");
        RpcClient any = client(server, Optional.of(keys("one", "books", "z").connecting(Optional.empty())));
        assertThat(new String(ask(any, new byte[0]), UTF_8)).isEqualTo("* x");
    }

    @Test
    void messagesOfAllSizesPassManyAtATime() throws Exception {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        RpcClient client = client(server, Optional.of(keys("one", "books", "b").connecting(Optional.of("a"))));
        long seed = 3;
        SplittableRandom random = new SplittableRandom(seed);
        for (int size : new int[] {1, 1_000, 16_384, 16_385, 100_000, 5_000_000}) {
            byte[] message = new byte[size];
            random.nextBytes(message);
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                calls.add(asked(client, message));
            }
            for (CompletableFuture<byte[]> call : calls) {
                assertThat(call.get(DEADLINE.toSeconds(), TimeUnit.SECONDS))
                        .as("%d bytes, seed %d", size, seed)
                        .isEqualTo(message);
            }
        }
    }

    @Test
    void strangersAreRefusedByEitherSide() {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        assertFails(client(server, Optional.of(keys("two", "books", "b").connecting(Optional.empty()))), "path");
        awaitCloses(server, CloseReason.TLS_FAILED, 1);
    }

    @Test
    void nodeOfAnotherClusterIsRefusedThoughItsAuthorityIsTheSame() throws Exception {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        RpcTls ours = keys("one", "books", "b").connecting(Optional.empty());
        RpcTls elsewhere = new RpcTls() {
            @Override
            public SSLEngine newEngine() {
                return ours.newEngine();
            }

            @Override
            public String admit(SSLSession session) throws SSLException {
                return new PeerTls(
                                () -> {
                                    throw new IllegalStateException();
                                },
                                true,
                                "music",
                                Optional.empty())
                        .admit(session);
            }
        };
        assertFails(client(server, Optional.of(elsewhere)), "tagbahn:books/a", "another cluster");
    }

    @Test
    void nodeThatIsNotTheOneMeantIsRefused() {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        RpcClient client = client(server, Optional.of(keys("one", "books", "b").connecting(Optional.of("c"))));
        assertFails(client, "tagbahn:books/a", "not of node c");
    }

    @Test
    void plainCallerIsClosedAndCounted() {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        assertFails(client(server, Optional.empty()), "lost");
        awaitCloses(server, CloseReason.NOT_TLS, 1);
    }

    @Test
    void encryptedCallerOfAPlainPortIsClosedAndCounted() {
        RpcServer server = server(Optional.empty());
        assertFails(
                client(server, Optional.of(keys("one", "books", "b").connecting(Optional.of("a")))), "cannot connect");
        awaitCloses(server, CloseReason.NOT_THRIFT, 1);
    }

    @Test
    void handshakeThatIsNotFinishedInTimeEnds() throws IOException {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        byte[] hello = hello();
        try (Socket silent = new Socket(
                        server.address().getAddress(), server.address().getPort());
                Socket half = new Socket(
                        server.address().getAddress(), server.address().getPort());
                Socket whole = new Socket(
                        server.address().getAddress(), server.address().getPort())) {
            half.getOutputStream().write(hello, 0, hello.length / 2);
            whole.getOutputStream().write(hello);
            awaitCloses(server, CloseReason.FIRST_FRAME_TIMEOUT, 3);
            assertThat(silent.getInputStream().readAllBytes())
                    .as("an alert, and the end")
                    .hasSizeLessThan(50);
        }
        await().atMost(WAIT_MAX).until(() -> server.stats().connectionsOpen() == 0);
    }

    /** The first message of a client. */
    private byte[] hello() throws SSLException {
        ByteBuffer hello = ByteBuffer.allocate(1 << 15);
        keys("one", "books", "b").connecting(Optional.empty()).newEngine().wrap(ByteBuffer.allocate(0), hello);
        byte[] bytes = new byte[hello.flip().remaining()];
        hello.get(bytes);
        return bytes;
    }

    @Test
    void helloThatComesByteByByteEndsInTimeToo() throws Exception {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        byte[] hello = hello();
        try (Socket slow =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            slow.setTcpNoDelay(true);
            int[] at = {0};
            await().atMost(WAIT_MAX).pollInterval(Duration.ofMillis(50)).until(() -> {
                try {
                    slow.getOutputStream().write(hello[at[0]++ % 100]);
                } catch (IOException closed) {
                    return true;
                }
                return server.stats().closes(CloseReason.FIRST_FRAME_TIMEOUT) == 1;
            });
            assertThat(server.stats().closes(CloseReason.FIRST_FRAME_TIMEOUT)).isEqualTo(1);
        }
    }

    @Test
    void garbageIsClosedAndGoodCallersAreAnsweredMeanwhile() throws Exception {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        RpcClient client = client(server, Optional.of(keys("one", "books", "b").connecting(Optional.of("a"))));
        byte[] hello = hello();
        long seed = 11;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 100; i++) {
            byte[] bytes = i % 2 == 0 ? hello.clone() : new byte[1 + random.nextInt(20_000)];
            if (i % 2 == 0) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            } else {
                random.nextBytes(bytes);
            }
            try (Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort())) {
                socket.getOutputStream().write(bytes);
                if (i % 10 == 0) {
                    socket.setSoTimeout(200);
                    int unused = socket.getInputStream().read();
                    assertThat(unused).isBetween(-1, 255);
                }
            } catch (IOException closedOnUs) {
                assertThat(closedOnUs).as("seed %d, round %d", seed, i).isNotNull();
            }
            assertThat(new String(ask(client, new byte[0]), UTF_8))
                    .as("seed %d, round %d", seed, i)
                    .isEqualTo("b x");
        }
        assertThat(server.stats().closes(CloseReason.NOT_TLS) + server.stats().closes(CloseReason.TLS_FAILED))
                .isGreaterThan(20);
        await().atMost(WAIT_MAX).until(() -> server.stats().connectionsOpen() == 1);
    }

    @Test
    void connectionsAboveTheLimitAreClosedAndThoseOpenGoOn() throws Exception {
        RpcServer server = server(Optional.of(keys("one", "books", "a").accepting()));
        RpcClient client = client(server, Optional.of(keys("one", "books", "b").connecting(Optional.of("a"))));
        assertThat(ask(client, new byte[] {1})).hasSize(1);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 2 * CONNECTIONS_MAX; i++) {
            sockets.add(
                    new Socket(server.address().getAddress(), server.address().getPort()));
        }
        awaitCloses(server, CloseReason.CONNECTION_LIMIT, CONNECTIONS_MAX);
        assertThat(ask(client, new byte[] {1})).hasSize(1);
        await().atMost(WAIT_MAX).until(() -> server.stats().connectionsOpen() == 1);
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
