// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.client.calls.FailureKind;
import io.tagbahn.client.calls.HostRejected;
import io.tagbahn.model.HostPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;

/** Calls over HTTP/1.1, of which the failures are those that a caller understands. */
final class HttpCalls {

    /** The service works; what it needs for its answer doesn't. */
    static final int BEHIND_FAILED = 502;

    /** It has done nothing for the request. */
    static final int OVERLOADED = 503;

    private static final int THREADS = 2;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newFixedThreadPool(THREADS, task -> {
                Thread thread = new Thread(task, "http");
                thread.setDaemon(true);
                return thread;
            }))
            .build();

    /** The answer of a service that works, about one behind it that doesn't. */
    static final class BehindFailed extends IOException {
        private static final long serialVersionUID = 1;

        BehindFailed(String message) {
            super(message);
        }
    }

    /** What failures say: nobody is to be left alone for what another one behind it did. */
    static FailureKind kind(Throwable error) {
        return error instanceof BehindFailed ? FailureKind.ANSWERED : FailureKind.of(error);
    }

    /** Without blocking; cancelling the answer gives the request up. */
    CompletableFuture<String> getAsync(HostPort address, String path, Duration remaining) {
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(request(address, path, remaining), HttpResponse.BodyHandlers.ofString());
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletionStage<HttpResponse<String>> arrives = response;
        arrives.whenComplete((value, error) -> {
            if (error != null) {
                answer.completeExceptionally(error);
            } else {
                try {
                    answer.complete(text(value));
                } catch (IOException | HostRejected e) {
                    answer.completeExceptionally(e);
                }
            }
        });
        CompletionStage<String> end = answer;
        end.whenComplete((value, error) -> {
            if (answer.isCancelled()) {
                response.cancel(true);
            }
        });
        return answer;
    }

    /** On this thread. */
    String get(HostPort address, String path, Duration remaining) throws IOException, InterruptedException {
        return text(client.send(request(address, path, remaining), HttpResponse.BodyHandlers.ofString()));
    }

    private static HttpRequest request(HostPort address, String path, Duration remaining) {
        Duration timeout = remaining.toMillis() < 1 ? Duration.ofMillis(1) : remaining;
        return HttpRequest.newBuilder(URI.create("http://" + address + path))
                .header(HttpService.DEADLINE, Long.toString(timeout.toMillis()))
                .timeout(timeout)
                .build();
    }

    private static String text(HttpResponse<String> response) throws IOException {
        if (response.statusCode() == OVERLOADED) {
            throw new HostRejected(response.body());
        }
        if (response.statusCode() == BEHIND_FAILED) {
            throw new BehindFailed(response.body());
        }
        if (response.statusCode() >= 400) {
            throw new IOException("status " + response.statusCode());
        }
        return response.body();
    }
}
