// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The scenarios, and a run of them one after the other. */
public final class Chaos {

    private static final List<Scenario> ALL = List.of(
            new KillScenario(),
            new RejoinScenario(),
            new LookupsScenario(),
            new LeaseScenario(),
            new EverywhereScenario());

    private Chaos() {}

    /**
     * What to run.
     *
     * @param scenarios by name; all where empty
     * @param nodes of each cluster, instead of the scenario's own number
     * @param trials of each scenario, instead of its own number
     * @param quick few trials of few nodes
     * @param folder for what nodes leave behind
     * @param seed of what is left to chance
     */
    public record Plan(
            List<String> scenarios, OptionalInt nodes, OptionalInt trials, boolean quick, Path folder, long seed) {

        public Plan {
            scenarios = List.copyOf(scenarios);
        }
    }

    /** All that there are, in the order in which they run. */
    public static List<String> names() {
        return ALL.stream().map(Scenario::name).toList();
    }

    /**
     * Runs scenarios.
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
                progress,
                new AtomicInteger());
        List<Finding> all = new ArrayList<>();
        for (Scenario scenario : ALL) {
            if (plan.scenarios().isEmpty() || plan.scenarios().contains(scenario.name())) {
                progress.accept(scenario.name() + " begins");
                List<Finding> found = run(scenario, run);
                found.forEach(findings);
                all.addAll(found);
            }
        }
        return all;
    }

    private static List<Finding> run(Scenario scenario, ChaosRun run) {
        try {
            return scenario.run(run);
        } catch (ScenarioFailure e) {
            return List.of(Finding.of(
                    scenario.name(),
                    new Figures().with("broken", String.valueOf(e.getMessage())),
                    "an end of the scenario",
                    false));
        }
    }
}
