// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostLookupTest {

    private static final int SECONDS_MAX = 30;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final ExecutorService lookups = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        lookups.shutdownNow();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void loopGoesOnWhileANameServerDoesNotAnswer() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        HostLookup lookup = new HostLookup(
                host -> {
                    await(answer);
                    return new InetAddress[] {InetAddress.getLoopbackAddress()};
                },
                lookups);

        Future<InetSocketAddress> found = resolve(lookup, "registry.example");
        assertThat(loop.submit(() -> "still here").get(SECONDS_MAX, TimeUnit.SECONDS))
                .isEqualTo("still here");
        assertThat(found.isDone()).isFalse();

        answer.countDown();
        assertThat(found.get(SECONDS_MAX, TimeUnit.SECONDS))
                .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 21300));
    }

    @Test
    void nameThatNobodyKnowsFails() throws Exception {
        HostLookup lookup = new HostLookup(
                host -> {
                    throw new UnknownHostException(host);
                },
                lookups);
        assertThat(resolve(lookup, "registry.example").await().cause()).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void nameFailsWhenLookupsHaveStopped() throws Exception {
        HostLookup lookup = new HostLookup(host -> new InetAddress[0], lookups);
        lookups.shutdownNow();
        assertThat(resolve(lookup, "registry.example").await().isSuccess()).isFalse();
    }

    private Future<InetSocketAddress> resolve(HostLookup lookup, String host) {
        return lookup.getResolver(loop).resolve(InetSocketAddress.createUnresolved(host, 21300));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
