// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.bench.compare.CommitRuns;
import io.tagbahn.bench.compare.Difference;
import io.tagbahn.bench.compare.Difference.Verdict;
import java.io.IOException;
import java.util.List;

/**
 * Runs the micro-benchmarks of two builds in turn and says what changed beyond noise; {@code bench/compare} makes the
 * builds of two commits and starts this.
 *
 * <p>Exits with 1 where something is slower, with 2 where the call is wrong, with 3 where benchmarks fail, otherwise with 0.
 */
public final class Compare {

    private Compare() {}

    public static void main(String[] args) throws InterruptedException {
        System.exit(exitCode(List.of(args)));
    }

    private static int exitCode(List<String> args) throws InterruptedException {
        try {
            CommitRuns runs = CommitRuns.of(args);
            List<Difference> differences = runs.run(System.err::println);
            System.out.print(runs.isJsonWanted() ? runs.json(differences) : runs.table(differences));
            System.out.flush();
            return differences.stream().anyMatch(each -> each.verdict() == Verdict.SLOWER) ? 1 : 0;
        } catch (IllegalArgumentException e) {
            System.err.println("compare: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("compare: " + e.getMessage());
            return 3;
        }
    }
}
