// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.model.Degree;
import io.tagbahn.model.Instance;
import io.tagbahn.model.Match;
import java.util.ArrayList;
import java.util.List;

/**
 * What was found.
 *
 * @param degraded true where it may be incomplete or stale
 * @param diagnostics for people: what is odd about the question
 */
record Discovery(List<Found> matches, boolean degraded, List<String> diagnostics) {

    static final Discovery NOTHING = new Discovery(List.of(), false, List.of());

    Discovery {
        matches = List.copyOf(matches);
        diagnostics = List.copyOf(diagnostics);
    }

    /** A tag that matches, why, and the instances that carry it. */
    record Found(Match match, List<Instance> instances) {

        Found {
            instances = List.copyOf(instances);
        }

        /** What was asked for by its own spelling. */
        static Found exactly(String tag, List<Instance> instances) {
            return new Found(new Match(tag, Degree.EXACT, 0, List.of()), instances);
        }
    }

    /** What both found, this first. */
    Discovery and(Discovery other) {
        List<Found> both = new ArrayList<>(matches);
        both.addAll(other.matches);
        List<String> said = new ArrayList<>(diagnostics);
        said.addAll(other.diagnostics);
        return new Discovery(both, degraded || other.degraded, said);
    }

    int exitCode() {
        return matches.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }

    JsonObject json() {
        JsonArray found = new JsonArray();
        for (Found each : matches) {
            JsonArray instances = new JsonArray();
            each.instances().forEach(instance -> instances.add(JsonForm.of(instance)));
            JsonObject entry = new JsonObject();
            entry.addProperty("tag", each.match().tag());
            entry.addProperty("degree", each.match().degree().name());
            entry.addProperty("distance", each.match().distance());
            entry.add("explanation", JsonForm.strings(each.match().explanation()));
            entry.add("instances", instances);
            found.add(entry);
        }
        JsonObject document = new JsonObject();
        document.add("matches", found);
        document.addProperty("degraded", degraded);
        document.add("diagnostics", JsonForm.strings(diagnostics));
        return document;
    }

    /** For people: the answer on standard output, what is odd about it on standard error. */
    void print(Environment environment, Terms terms) {
        printMatches(environment, terms);
        printOddities(environment, terms);
        if (matches.isEmpty()) {
            environment.say("nothing found");
        }
    }

    /** What is odd about the answer, on standard error. */
    void printOddities(Environment environment, Terms terms) {
        if (degraded) {
            environment.say("some nodes did not answer: this may be incomplete");
        }
        diagnostics.forEach(text -> environment.say(terms.shortened(text)));
    }

    /** What was found, and nothing about it. */
    void printMatches(Environment environment, Terms terms) {
        for (Found each : matches) {
            print(each, environment.out(), terms);
        }
    }

    private static void print(Found found, Output out, Terms terms) {
        Match match = found.match();
        String tag = match.tag();
        out.line(terms.shortened(tag.startsWith("<") || tag.indexOf(':') < 0 ? tag : "<" + tag + ">"));
        out.line("  " + match.degree()
                + (match.distance() == 0
                        ? ""
                        : match.distance() == 1 ? ", 1 step" : ", " + match.distance() + " steps"));
        for (String axiom : match.explanation()) {
            out.line("  because " + terms.shortened(axiom));
        }
        List<List<String>> rows = new ArrayList<>();
        for (Instance instance : found.instances()) {
            rows.add(List.of(
                    "  at " + instance.address(),
                    instance.id().value(),
                    instance.locality().zone().map(zone -> "zone " + zone).orElse("")));
        }
        Table.print(out, rows);
    }
}
