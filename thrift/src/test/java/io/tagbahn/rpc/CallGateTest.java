// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TSerializable;
import org.apache.thrift.protocol.TMessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that a gate lets in, and calls that it refuses before they are read. */
@ExtendWith(NoLeaks.class)
class CallGateTest {

    private static final long SETTLED_MILLIS = 500;

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> waits = Collections.synchronizedList(new ArrayList<>());

    /** Refuses what it is asked for by name, with an answer that lies ready. */
    private final class Refusing implements CallGate.Door {

        private final ReadyAnswer refused = new ReadyAnswer(TestService.owners("refused"));
        private final String method;

        Refusing(String method) {
            this.method = method;
        }

        @Override
        public Optional<? extends TSerializable> refusal(String of, long waitedNanos, long nowNanos) {
            waits.add(waitedNanos);
            return of.equals(method) ? Optional.of(refused) : Optional.empty();
        }

        @Override
        public void waits(String of) {
            seen.add("waits " + of);
        }

        @Override
        public void answered(String of, long tookNanos) {
            seen.add("answered " + of + (tookNanos > 0 ? "" : " at once"));
        }
    }

    /** A server behind such a gate, with one event loop. */
    private final class Gated implements AutoCloseable {

        private final TestService service = new TestService();
        private final RpcLoops loops = RpcLoops.start("gate-test", 1, System::nanoTime);
        private final RpcServer server;

        Gated(String refused) {
            server = RpcServer.start(
                    loops,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    service.service(),
                    RpcLimits.defaults(),
                    times -> new Refusing(refused));
        }

        @Override
        public void close() {
            server.close();
            loops.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedCallGetsTheAnswerThatLiesReadyAndIsNotBegun(WireForm form) throws Exception {
        try (Gated gated = new Gated("owners");
                RawClient raw = new RawClient(gated.server.address())) {
            raw.send(RawClient.owners(form, 7, "hold"));
            RawClient.Reply reply = raw.receive(form);
            assertThat(reply.owner()).isEqualTo("refused");
            assertThat(reply.sequenceId()).isEqualTo(7);
            assertThat(gated.service.held).isEmpty();
        }
    }

    @Test
    void theBodyOfARefusedCallIsNotRead() throws Exception {
        WireForm form = WireForm.FRAMED_BINARY;
        try (Gated gated = new Gated("owners");
                RawClient raw = new RawClient(gated.server.address())) {
            byte[] call = RawClient.owners(form, 1, "x");
            // What stands behind the head makes no sense: whoever read it would answer with an error.
            for (int i = call.length - 8; i < call.length; i++) {
                call[i] = (byte) 0xFF;
            }
            raw.send(call);
            assertThat(raw.receive(form).owner()).isEqualTo("refused");
            assertThat(gated.server.stats().protocolErrors()).isZero();
        }
    }

    @Test
    void answersOfRefusedCallsKeepTheirPlaceWhereASequenceIdRepeats() throws Exception {
        WireForm form = WireForm.FRAMED_COMPACT;
        try (Gated gated = new Gated("tagDiscover");
                RawClient raw = new RawClient(gated.server.address())) {
            raw.send(RawClient.owners(form, 1, "hold"));
            await().until(() -> gated.service.held.size() == 1);
            raw.send(RawClient.message(form, TMessageType.CALL, "tagDiscover", 1, TestService.owners("ignored")));
            await().until(() -> gated.server.stats().calls() == 2);
            gated.service.held.remove().answer();
            assertThat(raw.receive(form).owner()).isEqualTo("hold");
            assertThat(raw.receive(form).owner()).isEqualTo("refused");
        }
    }

    @Test
    void aGateHearsOfCallsThatWaitAndOfTheirEnd() throws Exception {
        WireForm form = WireForm.FRAMED_BINARY;
        try (Gated gated = new Gated("none")) {
            try (RawClient raw = new RawClient(gated.server.address())) {
                raw.send(RawClient.owners(form, 1, "at once"));
                assertThat(raw.receive(form).owner()).isEqualTo("at once");
                assertThat(seen).isEmpty();
                raw.send(RawClient.owners(form, 2, "hold"));
                await().until(() -> gated.service.held.size() == 1);
                await().until(() -> seen.equals(List.of("waits owners")));
                gated.service.held.remove().answer();
                assertThat(raw.receive(form).owner()).isEqualTo("hold");
                assertThat(seen).containsExactly("waits owners", "answered owners");
                raw.send(RawClient.owners(form, 3, "hold"));
                await().until(() -> gated.service.held.size() == 1);
            }
            await().until(() -> gated.server.stats().connectionsOpen() == 0);
            gated.service.held.remove().answer();
            // Also where nobody is left to take the answer.
            await().until(() -> seen.size() == 4 && seen.get(3).equals("answered owners"));
        }
    }

    @Test
    void aCallOnAnIdleLoopHasNotWaited() throws Exception {
        WireForm form = WireForm.FRAMED_BINARY;
        try (Gated gated = new Gated("none");
                RawClient raw = new RawClient(gated.server.address())) {
            for (int i = 0; i < 5; i++) {
                await().pollDelay(java.time.Duration.ofMillis(100)).until(() -> true);
                raw.send(RawClient.owners(form, i, "x"));
                assertThat(raw.receive(form).owner()).isEqualTo("x");
            }
        }
        // The first one on a connection may find the loop busy with accepting it.
        assertThat(waits.subList(1, waits.size())).allMatch(nanos -> nanos < TimeUnit.MILLISECONDS.toNanos(80));
    }

    @Test
    void aCallThatCameWhileTheLoopWasBusyHasWaitedForIt() throws Exception {
        WireForm form = WireForm.FRAMED_BINARY;
        try (Gated gated = new Gated("none");
                RawClient raw = new RawClient(gated.server.address())) {
            raw.send(RawClient.owners(form, 1, "x"));
            assertThat(raw.receive(form).owner()).isEqualTo("x");
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch sent = new CountDownLatch(1);
            gated.loops.group().next().execute(() -> {
                busy.countDown();
                try {
                    boolean over = sent.await(SETTLED_MILLIS, TimeUnit.MILLISECONDS);
                    seen.add("over " + over);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            busy.await();
            raw.send(RawClient.owners(form, 2, "y"));
            assertThat(raw.receive(form).owner()).isEqualTo("y");
            assertThat(seen).containsExactly("over false");
            long waited = waits.get(waits.size() - 1);
            assertThat(waited)
                    .isBetween(TimeUnit.MILLISECONDS.toNanos(SETTLED_MILLIS) / 2, TimeUnit.SECONDS.toNanos(30));
        }
    }

    @Test
    void aLoopKnowsHowLongItHasSlept() throws Exception {
        try (Gated gated = new Gated("none")) {
            LoopTimes times = gated.loops.times(gated.loops.group().next());
            // A loop that is woken has slept until then.
            for (int i = 0; i < 10; i++) {
                await().pollDelay(java.time.Duration.ofMillis(30)).until(() -> true);
                gated.loops.group().next().submit(() -> {}).get();
            }
            long slept = gated.loops.group().next().submit(times::idleNanos).get();
            assertThat(slept).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }
}
