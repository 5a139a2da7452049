// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HotEntriesTest {

    private final HotEntries hot = new HotEntries();
    private long nowNanos = 5;

    /** Asks for entries in turn, so many times a second, for some seconds. */
    private void ask(int perSecond, int seconds, String... entries) {
        for (int i = 0; i < perSecond * seconds; i++) {
            nowNanos += TimeUnit.SECONDS.toNanos(1) / perSecond;
            hot.isHot(entries[i % entries.length], nowNanos);
        }
    }

    @Test
    void whatIsAskedForOftenIsHot() {
        ask(2 * HotEntries.HOT_PER_SECOND, 3, "a");
        assertThat(hot.isHot("a", nowNanos)).isTrue();
        assertThat(hot.isHot("b", nowNanos)).isFalse();
    }

    @Test
    void whatIsAskedForSeldomIsNot() {
        ask(HotEntries.HOT_PER_SECOND / 2, 3, "a");
        assertThat(hot.isHot("a", nowNanos)).isFalse();
    }

    @Test
    void itCoolsDownWhenOthersAreAskedFor() {
        ask(2 * HotEntries.HOT_PER_SECOND, 3, "a");
        ask(2 * HotEntries.HOT_PER_SECOND, 3, "b");
        assertThat(hot.isHot("a", nowNanos)).isFalse();
        assertThat(hot.isHot("b", nowNanos)).isTrue();
    }

    @Test
    void itIsFoundAmongManyMoreThanAreCounted() {
        int others = 100 * HotEntries.COUNTERS_MAX;
        int rate = 40 * HotEntries.HOT_PER_SECOND;
        for (int i = 0; i < 3 * rate; i++) {
            nowNanos += TimeUnit.SECONDS.toNanos(1) / rate;
            // Not in step with the sample.
            hot.isHot(i % 7 == 0 ? "a" : "other-" + i % others, nowNanos);
        }
        assertThat(hot.isHot("a", nowNanos)).isTrue();
        assertThat(hot.isHot("other-1", nowNanos)).isFalse();
    }

    @Test
    void itTakesACounterFromThoseThatAreAskedForSeldom() {
        hot.isHot("first", nowNanos);
        // Within one second: all counters are taken by others before it is asked for at all.
        for (int i = 0; i < HotEntries.COUNTERS_MAX * HotEntries.SAMPLED; i++) {
            hot.isHot("other-" + i / HotEntries.SAMPLED, nowNanos);
        }
        for (int i = 0; i < 4 * HotEntries.HOT_PER_SECOND; i++) {
            hot.isHot("a", nowNanos);
        }
        nowNanos += TimeUnit.SECONDS.toNanos(1);
        for (int i = 0; i < HotEntries.SAMPLED; i++) {
            hot.isHot("b", nowNanos);
        }
        assertThat(hot.isHot("a", nowNanos)).isTrue();
        assertThat(hot.isHot("other-5", nowNanos)).isFalse();
    }
}
