// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.ServiceName;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HintsTest {

    private static final long BYTES_MAX = 1 << 20;

    private static final long SECOND = 1_000_000_000;

    private final Hints hints = new Hints(3, 60 * SECOND);

    private static Instance instance(String id) {
        return Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80")).withId(new InstanceId(id));
    }

    private static Change.RecordCopy record(String id, long generation, int entries) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            names.add("e" + i);
        }
        return new Change.RecordCopy(instance(id), names, generation, 30_000, 30_000, Word.NONE, 0);
    }

    private static Change.Removal removal(String id, long generation) {
        return new Change.Removal(new InstanceId(id), generation, false);
    }

    @Test
    void newestChangeOfEachInstanceIsKept() {
        hints.add("n", record("a", 2, 1), 0);
        hints.add("n", record("a", 1, 5), 0);
        hints.add("n", record("b", 1, 1), 0);

        assertThat(hints.take("n", 10, BYTES_MAX, 0))
                .extracting(Change::generation)
                .containsExactly(2L, 1L);
        assertThat(hints.take("n", 10, BYTES_MAX, 0)).isEmpty();
    }

    @Test
    void deregistrationStandsOverItsOwnGeneration() {
        hints.add("n", removal("a", 7), 0);
        hints.add("n", record("a", 7, 1), 1);

        assertThat(hints.take("n", 10, BYTES_MAX, 1)).containsExactly(removal("a", 7));
    }

    @Test
    void laterPartOfAGenerationStandsInWhateverOrderCallsEnd() {
        hints.add("n", record("a", 7, 9), 0);
        hints.add("n", record("a", 7, 4), 1);

        assertThat(hints.take("n", 10, BYTES_MAX, 1)).hasSize(1).first().isEqualTo(record("a", 7, 9));
    }

    @Test
    void leaseGoesOnWhileAHintWaits() {
        hints.add("n", record("a", 1, 1), 0);

        Change.RecordCopy sent =
                (Change.RecordCopy) hints.take("n", 10, BYTES_MAX, 12 * SECOND).get(0);
        assertThat(sent.leftMillis()).isEqualTo(18_000);
    }

    @Test
    void oldestGiveWayWhereThereAreTooManyOrTheyAreTooLong() {
        for (int i = 0; i < 5; i++) {
            hints.add("n", record("i" + i, 1, 1), 0);
        }
        assertThat(hints.count()).isEqualTo(3);
        hints.add("n", record("long", 1, 1_000), 0);

        assertThat(hints.take("n", 10, BYTES_MAX, 0))
                .extracting(change -> change.id().value())
                .containsExactly("long");
    }

    @Test
    void changesThatWaitedTooLongAreLeftToComparison() {
        hints.add("n", record("a", 1, 1), 0);
        hints.add("m", record("b", 1, 1), 0);
        hints.keepOnly(Set.of("n"));

        assertThat(hints.take("m", 10, BYTES_MAX, 0)).isEmpty();
        assertThat(hints.take("n", 10, BYTES_MAX, 61 * SECOND)).isEmpty();
        assertThat(hints.count()).isZero();
    }
}
