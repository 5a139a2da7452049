// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tagbahn.client.calls.FailureKind;
import io.tagbahn.client.calls.HostRejected;
import io.tagbahn.model.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Calls over real sockets, and what their failures say. */
final class HttpCallsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpCalls http = new HttpCalls();

    private static HttpService service(HttpService.Handler handler) throws IOException {
        return HttpService.start(0, 2, handler);
    }

    private static HostPort address(HttpService service) {
        return HostPort.parse("127.0.0.1:" + service.port());
    }

    @Test
    void answerAndDeadlineArePassedOn() throws IOException, InterruptedException {
        try (HttpService service = service((path, left) -> HttpService.Answer.of(path + " " + left.orElseThrow()))) {
            assertThat(http.get(address(service), "/page", PATIENCE)).isEqualTo("/page PT30S");
            assertThat(http.getAsync(address(service), "/page", PATIENCE).join())
                    .isEqualTo("/page PT30S");
        }
    }

    @Test
    void overloadIsRejectionAndFailureBehindIsAnswer() throws IOException {
        try (HttpService service =
                service((path, left) -> new HttpService.Answer(Integer.parseInt(path.substring(1)), "no"))) {
            HostPort address = address(service);
            assertThatThrownBy(() -> http.get(address, "/503", PATIENCE)).isInstanceOf(HostRejected.class);
            assertThat(kind(address, "/502")).isEqualTo(FailureKind.ANSWERED);
            assertThat(kind(address, "/500")).isEqualTo(FailureKind.HOST_FAILED);
            assertThatThrownBy(() -> http.getAsync(address, "/503", PATIENCE).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(HostRejected.class);
        }
    }

    @Test
    void whatCannotBeReachedHasNotGotTheCall() throws IOException {
        HttpService gone = service((path, left) -> HttpService.Answer.of("never"));
        HostPort address = address(gone);
        gone.close();
        assertThat(kind(address, "/")).isEqualTo(FailureKind.NOT_SENT);
    }

    private FailureKind kind(HostPort address, String path) {
        return HttpCalls.kind(Optional.ofNullable(catchThrowable(() -> http.get(address, path, PATIENCE)))
                .orElseThrow());
    }
}
