// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A small service over HTTP with a thread for each request, as many as it has; others wait. */
final class HttpService implements AutoCloseable {

    /** How long the caller waits, in milliseconds. */
    static final String DEADLINE = "X-Deadline-Millis";

    private static final int WAITING_MAX = 10_000;

    private final HttpServer server;
    private final ExecutorService threads;

    /** What it does. */
    interface Handler {
        /**
         * Answers a request; blocks its thread.
         *
         * @param left how long the caller waits, where it said so
         */
        Answer on(String path, Optional<Duration> left) throws InterruptedException;
    }

    /** What it says. */
    record Answer(int status, String text) {
        static Answer of(String text) {
            return new Answer(200, text);
        }
    }

    private HttpService(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** @param port 0 for a free one */
    static HttpService start(int port, int threadCount, Handler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                threadCount, threadCount, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(WAITING_MAX), task -> {
                    Thread thread = new Thread(task, "service");
                    thread.setDaemon(true);
                    return thread;
                });
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, handler));
        server.start();
        return new HttpService(server, threads);
    }

    private static void answer(HttpExchange exchange, Handler handler) throws IOException {
        try (exchange) {
            Optional<Duration> left = Optional.ofNullable(
                            exchange.getRequestHeaders().getFirst(DEADLINE))
                    .map(millis -> Duration.ofMillis(Long.parseLong(millis)));
            Answer answer;
            try {
                answer = handler.on(exchange.getRequestURI().getPath(), left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(bytes);
            }
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
