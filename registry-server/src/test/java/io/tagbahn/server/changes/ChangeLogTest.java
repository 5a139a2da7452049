// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChange;
import io.tagbahn.peer.LoggedChange.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChangeLogTest {

    private static final int CHANGES_MAX = 1_000;
    private static final long BYTES_MAX = 100_000;
    private static final int READ_CHARS_MAX = 1_000;

    private long nowNanos = 17;
    private final ChangeLog log = new ChangeLog(4, new Keeping(CHANGES_MAX, BYTES_MAX, READ_CHARS_MAX), () -> nowNanos);

    private static List<String> entries(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "e" + i).toList();
    }

    /** All that follows a position, read in parts; absent where that is not known. */
    private Optional<List<String>> after(LogPosition position) {
        List<String> all = new ArrayList<>();
        LogPosition at = position;
        while (true) {
            Optional<ChangeLog.Part> part = log.since(at, 300);
            if (part.isEmpty()) {
                return Optional.empty();
            }
            if (part.get().changes().isEmpty()) {
                return Optional.of(all);
            }
            part.get().changes().stream().map(LoggedChange::entry).forEach(all::add);
            at = part.get().next();
        }
    }

    @Test
    void whatFollowsAPositionIsToldInItsOrder() {
        LogPosition begin = log.position();
        log.append(List.of("a", "b"), Kind.ADDED);
        log.append(List.of("a"), Kind.REMOVED);
        ChangeLog.Part part = log.since(begin, 10).orElseThrow();
        assertThat(part.changes())
                .containsExactly(
                        new LoggedChange("a", Kind.ADDED),
                        new LoggedChange("b", Kind.ADDED),
                        new LoggedChange("a", Kind.REMOVED));
        assertThat(part.next()).isEqualTo(log.position());
        assertThat(log.since(begin, 2).orElseThrow().changes()).hasSize(2);
    }

    @Test
    void nothingIsKeptBeforeSomebodyReadsAndFiveMinutesAfter() {
        assertThat(log.append(entries(0, 100), Kind.ADDED)).isFalse();
        assertThat(log.bytes()).isZero();
        LogPosition begin = log.position();
        assertThat(log.append(entries(0, 100), Kind.ADDED)).isTrue();
        assertThat(log.bytes()).isPositive();
        nowNanos += ChangeLog.READ_NANOS - 1;
        assertThat(log.append(List.of("late"), Kind.ADDED)).isTrue();
        assertThat(after(begin).orElseThrow()).hasSize(101).endsWith("late");
        LogPosition end = log.position();
        nowNanos += ChangeLog.READ_NANOS;
        assertThat(log.append(List.of("unread"), Kind.ADDED)).isFalse();
        assertThat(log.bytes()).isZero();
        assertThat(after(begin)).isEmpty();
        assertThat(after(end)).as("a change was missed").isEmpty();
        assertThat(after(log.position())).contains(List.of());
    }

    @Test
    void readerThatMissedNothingGoesOnHoweverLongItWasAway() {
        LogPosition end = log.position();
        nowNanos += 10 * ChangeLog.READ_NANOS;
        assertThat(after(end)).contains(List.of());
    }

    @Test
    void atItsMostChangesTheOldestGo() {
        LogPosition begin = log.position();
        log.append(entries(0, CHANGES_MAX), Kind.ADDED);
        assertThat(after(begin)).contains(entries(0, CHANGES_MAX));
        LogPosition second = log.since(begin, 1).orElseThrow().next();
        log.append(List.of("more"), Kind.ADDED);
        assertThat(after(begin)).isEmpty();
        assertThat(after(second).orElseThrow()).hasSize(CHANGES_MAX).endsWith("more");
    }

    @Test
    void atItsMostBytesTheOldestGo() {
        LogPosition begin = log.position();
        String large = "x".repeat(8_192);
        for (int i = 0; i < 20; i++) {
            log.append(List.of(large), Kind.ADDED);
            assertThat(log.bytes()).isLessThanOrEqualTo(BYTES_MAX);
        }
        assertThat(after(begin)).isEmpty();
        assertThat(after(new LogPosition(4, 15)).orElseThrow()).hasSize(5);
    }

    @Test
    void oneReadEndsWhenItIsLong() {
        LogPosition begin = log.position();
        String large = "x".repeat(600);
        log.append(List.of(large, large, large), Kind.ADDED);
        assertThat(log.since(begin, 10).orElseThrow().changes()).hasSize(2);
    }

    @Test
    void positionsOfOthersAreNotKnown() {
        log.append(entries(0, 5), Kind.ADDED);
        assertThat(after(new LogPosition(5, 5))).isEmpty();
        assertThat(after(new LogPosition(4, 6))).isEmpty();
    }

    @Test
    void everyPositionIsWorthWhatFollowedItOrNothing() {
        long seed = 99;
        Random random = new Random(seed);
        List<String> all = new ArrayList<>();
        LogPosition begin = log.position();
        for (int step = 0; step < 300; step++) {
            int count = random.nextInt(40);
            List<String> some = entries(step * 100, step * 100 + count);
            log.append(some, Kind.ADDED);
            all.addAll(some);
            int from = random.nextInt(all.size() + 1);
            Optional<List<String>> read = after(new LogPosition(begin.epoch(), from));
            boolean isKept = all.size() - from <= CHANGES_MAX;
            assertThat(read)
                    .as("seed %d, step %d, from %d of %d", seed, step, from, all.size())
                    .isEqualTo(isKept ? Optional.of(all.subList(from, all.size())) : Optional.empty());
        }
    }
}
