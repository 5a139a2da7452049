// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.server.cluster.FoundEntries;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchedTest {

    private static Watched.Reader reader(String token) {
        return new Watched.Reader(Optional.of(token), Duration.ZERO, Duration.ZERO);
    }

    @Test
    void tokenThatNoAnswerHasTakesNoMemoryWhileItsReaderWaits() {
        String own = WatchAnswer.of(new FoundEntries(List.of(List.of()), false, true, Set.of()))
                .token();
        assertThat(reader(own).token).hasValue(own);
        assertThat(reader("x".repeat(1_000_000)).token)
                .hasValueSatisfying(
                        kept -> assertThat(kept).isNotEqualTo(own).hasSizeLessThan(Watched.Reader.TOKEN_CHARS_MAX));
    }
}
