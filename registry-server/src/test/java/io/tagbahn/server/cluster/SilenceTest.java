// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilenceTest {

    private final Silence silence = new Silence();

    @Test
    void manyCallsThatTimeOutTogetherRaiseOneDoubtAndNoMore() {
        List<Silence.Sent> calls = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            calls.add(silence.sent(0));
        }
        int asked = 0;
        for (Silence.Sent call : calls) {
            asked += silence.unanswered(call, 0) ? 1 : 0;
        }

        assertThat(asked).isEqualTo(1);
        assertThat(silence.isConfirmed()).isFalse();
    }

    @Test
    void secondTimeOutInARowConfirms() {
        assertThat(silence.unanswered(silence.sent(0), 0)).isTrue();
        assertThat(silence.unanswered(silence.sent(0), 0)).isFalse();

        assertThat(silence.isConfirmed()).isTrue();
    }

    @Test
    void slowCallSaysNothingWhileOthersAreAnswered() {
        for (int i = 0; i < 10; i++) {
            Silence.Sent slow = silence.sent(0);
            silence.heard();
            assertThat(silence.unanswered(slow, 0)).isFalse();
        }
        assertThat(silence.isConfirmed()).isFalse();
    }

    @Test
    void answersThatComeTooLateAreSignsOfLife() {
        for (int late = 0; late < 10; late++) {
            Silence.Sent call = silence.sent(late);
            assertThat(silence.unanswered(call, late + 1)).isFalse();
        }
        assertThat(silence.isConfirmed()).isFalse();
    }

    @Test
    void oneAnswerEndsItAtOnce() {
        silence.unanswered(silence.sent(0), 0);
        silence.unanswered(silence.sent(0), 0);
        Silence.Sent before = silence.sent(0);
        silence.heard();

        assertThat(silence.isConfirmed()).isFalse();
        assertThat(silence.unanswered(before, 0)).isFalse();
        assertThat(silence.isConfirmed()).isFalse();
    }
}
