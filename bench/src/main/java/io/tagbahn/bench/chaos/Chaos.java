// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The scenarios, and a run of them one after the other. */
public final class Chaos {

    private static final List<Scenario> ALL = List.of(
            new KillScenario(),
            new PauseScenario(),
            new StarveScenario(),
            new BurstScenario(),
            new RejoinScenario(),
            new PartitionScenario(),
            new LookupsScenario(),
            new AmnesiaScenario(),
            new OutageScenario(),
            new LeaseScenario(),
            new ChurnScenario(),
            new EverywhereScenario());

    /** A quick run is no measurement of times: what waits for other processes can do so together. */
    private static final int QUICK_AT_ONCE = 3;

    private Chaos() {}

    /**
     * What to run.
     *
     * @param scenarios by name; all where empty
     * @param nodes of each cluster, instead of the scenario's own number
     * @param trials of each scenario, instead of its own number
     * @param quick few trials of few nodes, several scenarios at a time, and those that take long only where they are named
     * @param folder for what nodes leave behind
     * @param seed of what is left to chance
     * @param outageSeconds how long the registry is gone, where that is the scenario
     */
    public record Plan(
            List<String> scenarios,
            OptionalInt nodes,
            OptionalInt trials,
            boolean quick,
            Path folder,
            long seed,
            OptionalInt outageSeconds) {

        public Plan {
            scenarios = List.copyOf(scenarios);
        }
    }

    /** All that there are, in the order in which they run. */
    public static List<String> names() {
        return ALL.stream().map(Scenario::name).toList();
    }

    /**
     * Runs scenarios; a thread that is interrupted meanwhile ends them, and what they have started.
     *
     * @param starter what starts nodes
     * @param progress is told what goes on
     * @param findings is told each finding as it comes
     */
    public static List<Finding> run(
            Plan plan, NodeStarter starter, Consumer<String> progress, Consumer<Finding> findings) {
        ChaosRun run = new ChaosRun(
                starter,
                plan.folder(),
                plan.nodes(),
                plan.trials(),
                plan.quick(),
                plan.seed(),
                plan.outageSeconds(),
                progress,
                new AtomicInteger());
        List<Scenario> wanted = ALL.stream()
                .filter(scenario -> plan.scenarios().isEmpty()
                        ? !plan.quick() || scenario.isShort()
                        : plan.scenarios().contains(scenario.name()))
                .toList();
        List<Finding> all = Collections.synchronizedList(new ArrayList<>());
        try (Lanes lanes = new Lanes("chaos-scenario", plan.quick() ? QUICK_AT_ONCE : 1)) {
            for (Scenario scenario : wanted) {
                lanes.begin(() -> {
                    progress.accept(scenario.name() + " begins");
                    List<Finding> found = run(scenario, run);
                    synchronized (all) {
                        found.forEach(findings);
                        all.addAll(found);
                    }
                });
            }
            lanes.await();
        }
        return List.copyOf(all);
    }

    private static List<Finding> run(Scenario scenario, ChaosRun run) {
        try {
            return scenario.run(run);
        } catch (RuntimeException e) {
            // What the others have found, or will find, is worth having all the same.
            String what = e instanceof ScenarioFailure ? String.valueOf(e.getMessage()) : e.toString();
            return List.of(
                    Finding.of(scenario.name(), new Figures().with("broken", what), "an end of the scenario", false));
        }
    }
}
