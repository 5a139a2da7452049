// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ChangesTest {

    private int wakes;
    private final Changes changes = new Changes(1, Keeping.of(1_000, 1 << 20, 1 << 20), () -> 0, () -> wakes++);

    private CompletableFuture<Boolean> next() {
        return changes.next().toCompletableFuture();
    }

    @Test
    void whoWaitsIsWokenByWhatIsReadAndOnlyThen() {
        CompletableFuture<Boolean> waiting = next();
        changes.touched(List.of("a"));
        assertThat(wakes).as("nobody reads the log").isZero();
        changes.read(Changes.Log.TOUCHES, Optional.empty(), 0);
        changes.touched(List.of("a"));
        assertThat(wakes).isOne();
        assertThat(waiting).isNotDone();
        changes.wake();
        assertThat(waiting).isCompletedWithValue(true);
        changes.touched(List.of("a"));
        assertThat(wakes).as("nobody waits").isOne();
    }

    @Test
    void moreThanTheMostThatWaitAreRefused() {
        List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < Changes.WAITING_MAX; i++) {
            waiting.add(next());
        }
        assertThatThrownBy(next()::join).isInstanceOf(CompletionException.class).hasCauseInstanceOf(Overloaded.class);
        changes.forget(waiting.get(0));
        assertThat(next()).isNotDone();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void whoWaitsIsToldWhenItIsClosed() {
        CompletableFuture<Boolean> waiting = next();
        changes.close();
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(NotReady.class);
        assertThatThrownBy(next()::join).hasCauseInstanceOf(NotReady.class);
    }
}
