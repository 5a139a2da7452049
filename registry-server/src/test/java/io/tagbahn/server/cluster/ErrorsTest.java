// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Iri;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.server.changes.Keeping;
import io.tagbahn.server.ontology.OntologyFiles;
import io.tagbahn.server.ontology.OntologyTerms;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Errors of the machine, such as a stack or a heap that is too small: they end what they happened in, and nothing else. */
class ErrorsTest {

    private final Meaning meaning = new Meaning(
            OntologyTerms.defaults(),
            OntologyFiles.inMemory(),
            Runnable::run,
            Runnable::run,
            1_000_000,
            new Meaning.LogTerms(1, Keeping.of(1_000, 1 << 20, 1 << 20), () -> 0));

    private static Throwable failure(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        assertThat(future).isCompletedExceptionally();
        return future.<Throwable>handle((value, error) -> error).join();
    }

    private static byte[] overflow() {
        throw new StackOverflowError("told by a test");
    }

    @Test
    void questionThatOverflowsTheStackFails() {
        assertThat(failure(meaning.submit(ErrorsTest::overflow))).isInstanceOf(RegistryFault.class);
    }

    @Test
    void documentThatOverflowsTheStackFails() {
        assertThat(failure(
                        meaning.shelf().draft(new Iri("http://example.org/o"), RdfFormat.TURTLE, ErrorsTest::overflow)))
                .isInstanceOf(RegistryFault.class);
    }

    @Test
    void timerGoesOnAfterAnError() throws Exception {
        try (TimerThread timer = new TimerThread("errors")) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            timer.after(Duration.ZERO, ErrorsTest::overflow);
            timer.after(Duration.ofMillis(1), () -> done.complete(true));
            assertThat(done.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
