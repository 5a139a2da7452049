// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.SemanticIndex;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Tag;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn demo}. */
@Command(
        name = "demo",
        description =
                "Shows in a few seconds what Tagbahn is about: starts a node at a free port of this machine, registers"
                        + " the case study's five entries, asks for horror works, and prints what matched, why, and where.",
        footer = {"", "Example:", "  tagbahn demo --keep"})
final class DemoCommand implements Callable<Integer> {

    private final Environment environment;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--keep", description = "Leave the node and the registrations running until interrupted.")
    private boolean keep;

    DemoCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        environment.stop().heed();
        CaseStudy study = CaseStudy.load();
        Path data = NodeSettings.fresh();
        try (Node node = Node.start(NodeConfig.parse(
                        Map.of("node.listen", "127.0.0.1:0", NodeSettings.DATA_DIRECTORY, data.toString())));
                RegistryClient client = RegistryClient.connect(RegistryOptions.configOf(List.of(node.advertised())))) {
            tell("A registry node runs at " + node.advertised() + ".");
            register(client, study);
            return ask(client, study, node.advertised());
        } finally {
            remove(data);
        }
    }

    private void register(RegistryClient client, CaseStudy study) {
        tell("", "Services register, each under what it offers:", "");
        List<List<String>> rows = new ArrayList<>();
        study.entries().forEach((instance, tags) -> {
            client.register(instance, tags);
            for (Tag tag : tags) {
                rows.add(List.of("  " + instance.address(), study.terms().shortened(tag.spelling())));
            }
        });
        if (!json.isWanted()) {
            Table.print(environment.out(), rows);
        }
    }

    private int ask(RegistryClient client, CaseStudy study, HostPort address) {
        Terms terms = study.terms();
        tell("", "Who has works of the horror genre? Asked for is " + study.question() + ":", "");
        Discovery found = Inferred.of(
                SemanticIndex.over(client, study.ontology()),
                MatchQuery.of(study.pattern()).explained());
        if (json.isWanted()) {
            environment.out().json(found.json());
        } else {
            found.print(environment, terms);
        }
        if (keep) {
            environment.out().flush();
            environment.say("the node at " + address + " goes on until interrupted (Ctrl-C); in another terminal, try");
            for (String command : List.of(
                    "names",
                    "discover --name service-2",
                    "discover --concept :Obra --prefix =http://example.org/obras# --explain --ontology obras.ttl")) {
                environment.err().println("  tagbahn " + command + " --registry " + address);
            }
            environment.stop().await();
        }
        return found.exitCode();
    }

    private void tell(String... lines) {
        if (!json.isWanted()) {
            for (String line : lines) {
                environment.out().line(line);
            }
        }
    }

    /** What the node kept is of no use to anyone. */
    private static void remove(Path data) {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + data + ": " + e.getMessage(), e);
        }
    }
}
