// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A scenario as text, one step a line; {@code #} begins a comment. Nodes go by their numbers, node lists are {@code
 * 1,3} or {@code 0..4}, times {@code 300ms} or {@code 5s}.
 *
 * <pre>
 * seed 7                        the first line
 * start 0..4 seed 0             starts nodes, or starts them again at their addresses with their disks
 * wipe 3                        empties a node's disk
 * converge 5s                   all agree on all within the time
 * run 10s                       lets time pass
 * loss 0.1 · delay 1ms 20ms · duplicates 0.05
 * cut 0 2 · cut-one-way 0 2 · part 1,2 · heal
 * pause 3 5s · step-clock 3 60s · crash 3 · vanish 3 · leave 3
 * mark                          forgets the changes seen so far
 * expect 3 DEAD within 3s       all others come to think so in this time
 * transitions 0 3 SUSPECT DEAD  what node 0 saw of node 3 since the mark, exactly
 * deaths none · deaths 3        who was declared dead by anyone since the mark
 * </pre>
 */
final class Trace {

    private final String name;
    private SwimCluster cluster = new SwimCluster(0);
    private LinkQuality quality = LinkQuality.GOOD;
    private int steps;

    Trace(String name) {
        this.name = name;
    }

    /** Runs all steps; an {@link AssertionError} names the line that did not hold. */
    void run(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceAll("#.*", "").trim();
            if (!line.isEmpty()) {
                String failure = step(line.split("\\s+"));
                if (!failure.isEmpty()) {
                    throw new AssertionError(name + ":" + (i + 1) + ": " + line + ": " + failure);
                }
                steps++;
            }
        }
    }

    int steps() {
        return steps;
    }

    private String step(String[] words) {
        switch (words[0]) {
            case "seed" -> cluster = new SwimCluster(Long.parseLong(words[1]));
            case "start" -> start(words);
            case "wipe" ->
                numbers(words[1]).forEach(number -> cluster.disk(number).wipe());
            case "run" -> cluster.time().run(time(words[1]));
            case "loss" -> quality(quality.withLoss(Double.parseDouble(words[1])));
            case "duplicates" -> quality(quality.withDuplicates(Double.parseDouble(words[1])));
            case "delay" -> quality(quality.withDelay(time(words[1]), time(words[2])));
            case "cut" -> cluster.network().cut(address(words[1]), address(words[2]));
            case "cut-one-way" -> cluster.network().cutOneWay(address(words[1]), address(words[2]));
            case "part" -> numbers(words[1]).forEach(number -> cluster.network().side(SwimCluster.address(number), 1));
            case "heal" -> cluster.network().heal();
            case "pause" -> nodes(words[1]).forEach(node -> node.pause(time(words[2])));
            case "step-clock" -> nodes(words[1]).forEach(node -> node.stepClock(time(words[2])));
            case "crash" -> nodes(words[1]).forEach(SimProcess::crash);
            case "vanish" -> nodes(words[1]).forEach(SimProcess::vanish);
            case "leave" -> nodes(words[1]).forEach(SimProcess::leave);
            case "mark" -> cluster.forgetSeen();
            default -> {
                return check(words);
            }
        }
        return "";
    }

    private String check(String[] words) {
        return switch (words[0]) {
            case "converge" -> cluster.time().runUntil(cluster::allAgree, time(words[1])) ? "" : "no agreement";
            case "expect" -> expect(words);
            case "transitions" -> transitions(words);
            case "deaths" -> deaths(words[1]);
            default -> throw new IllegalArgumentException(name + ": no step " + words[0]);
        };
    }

    private void start(String[] words) {
        int[] seeds = words.length > 3
                ? numbers(words[3]).stream().mapToInt(Integer::intValue).toArray()
                : new int[0];
        numbers(words[1]).forEach(number -> cluster.start(number, seeds));
    }

    private void quality(LinkQuality other) {
        quality = other;
        cluster.network().quality(other);
    }

    private String expect(String[] words) {
        MemberState state = MemberState.valueOf(words[2]);
        for (int number : numbers(words[1])) {
            String id = SwimCluster.id(number);
            if (!cluster.time().runUntil(() -> cluster.allThink(id, state), time(words[4]))) {
                return cluster.running().stream()
                        .map(node -> node.id() + " thinks " + node.thinksOf(id))
                        .toList()
                        .toString();
            }
        }
        return "";
    }

    private String transitions(String[] words) {
        List<String> seen = new ArrayList<>();
        for (SimProcess.Seen change : cluster.seen()) {
            if (change.observer().equals("n" + words[1]) && change.subject().equals("n" + words[2])) {
                seen.add(change.state().name());
            }
        }
        return seen.equals(Arrays.asList(words).subList(3, words.length)) ? "" : "saw " + seen;
    }

    private String deaths(String whom) {
        List<String> expected = whom.equals("none")
                ? List.of()
                : numbers(whom).stream().map(SwimCluster::id).toList();
        List<String> dead = cluster.deaths().stream()
                .map(SimProcess.Seen::subject)
                .distinct()
                .sorted()
                .toList();
        return dead.equals(expected) ? "" : "deaths of " + dead;
    }

    private List<SimProcess> nodes(String list) {
        return numbers(list).stream().map(cluster::node).toList();
    }

    private static HostPort address(String number) {
        return SwimCluster.address(Integer.parseInt(number));
    }

    private static List<Integer> numbers(String list) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            String[] ends = part.split("\\.\\.", -1);
            for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                numbers.add(i);
            }
        }
        return numbers;
    }

    private static Duration time(String text) {
        return text.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
    }
}
