// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A run of the command within this process: what goes in, and what came out. */
final class TestingRun {

    private final Map<String, String> variables = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final StopSignal stop = new StopSignal();
    private byte[] in = {};

    /** Runs the command against a node. */
    static Outcome at(TestingNode node, String... args) {
        return new TestingRun().with(RegistryOptions.VARIABLE, node.address()).run(args);
    }

    /** Runs a command that asks no node. */
    static Outcome of(String... args) {
        return new TestingRun().run(args);
    }

    TestingRun with(String variable, String value) {
        variables.put(variable, value);
        return this;
    }

    TestingRun input(String text) {
        in = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    TestingRun input(byte[] bytes) {
        in = bytes.clone();
        return this;
    }

    StopSignal stop() {
        return stop;
    }

    /** What has come out so far. */
    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    byte[] outBytes() {
        return out.toByteArray();
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    Outcome run(String... args) {
        Environment environment = new Environment(
                new ByteArrayInputStream(in),
                new Output(out),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                variables,
                System::nanoTime,
                stop);
        int exitCode = new Tagbahn(environment).run(args);
        return new Outcome(exitCode, out(), err());
    }

    /** How a run ended. */
    record Outcome(int exitCode, String out, String err) {

        JsonElement json() {
            return JsonParser.parseString(out);
        }
    }
}
