// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Instance;
import io.tagbahn.model.Locality;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NearnessTest {

    private static final Locality HERE = place("n1", "z1", "r1");

    private static Locality place(String node, String zone, String region) {
        return new Locality(text(node), text(zone), text(region));
    }

    private static Optional<String> text(String name) {
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }

    private static Instance at(int port, Locality place) {
        return SimulatedClient.instance("s", port).withLocality(place);
    }

    private static Nearness nearness(Locality here) {
        return new Nearness(here, new SplittableRandom(5));
    }

    @Test
    void sameNodeComesBeforeSameZoneBeforeSameRegionBeforeTheRest() {
        List<Instance> instances = List.of(
                at(1, Locality.UNKNOWN),
                at(2, place("n9", "z9", "r1")),
                at(3, place("n1", "z1", "r1")),
                at(4, place("n9", "z1", "r1")));
        assertThat(nearness(HERE).order(instances)).extracting(Instance::port).containsExactly(3, 4, 2, 1);
    }

    @Test
    void zoneOfTheSameNameInAnotherRegionIsFarAway() {
        List<Instance> instances = List.of(at(1, place("n1", "z1", "r2")), at(2, place("", "", "r1")));
        assertThat(nearness(HERE).order(instances)).extracting(Instance::port).containsExactly(2, 1);
    }

    @Test
    void zoneAloneIsEnoughToBeNear() {
        List<Instance> instances = List.of(at(1, place("", "z2", "")), at(2, place("", "z1", "")));
        assertThat(nearness(place("", "z1", "")).order(instances))
                .extracting(Instance::port)
                .containsExactly(2, 1);
    }

    @Test
    void equallyNearInstancesTakeTurnsInFront() {
        List<Instance> instances =
                IntStream.range(1, 6).mapToObj(port -> at(port, HERE)).toList();
        Nearness nearness = nearness(HERE);
        Map<Integer, Integer> first = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            List<Instance> ordered = nearness.order(instances);
            assertThat(ordered).containsExactlyInAnyOrderElementsOf(instances);
            first.merge(ordered.get(0).port(), 1, Integer::sum);
        }
        assertThat(first.values()).allSatisfy(count -> assertThat(count).isBetween(850, 1150));
    }
}
