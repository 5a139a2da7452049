// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.SemanticIndex;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Tag;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn demo}. */
@Command(
        name = "demo",
        description =
                "Shows in a few seconds what Tagbahn is about: starts three nodes at free ports of this machine, registers"
                        + " the case study's five entries, asks for horror works, and prints what matched, why, and where.",
        footer = {"", "Example:", "  tagbahn demo --keep"})
final class DemoCommand implements Callable<Integer> {

    private static final Duration READY_MAX = Duration.ofSeconds(30);
    private static final Duration READY_POLL = Duration.ofMillis(20);

    private final Environment environment;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--keep", description = "Leave the nodes and the registrations running until interrupted.")
    private boolean keep;

    DemoCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        environment.stop().heed();
        CaseStudy study = CaseStudy.load();
        Path data = NodeSettings.fresh();
        try (Node first = start(data, "node-1", "");
                Node second = start(data, "node-2", first.advertised().toString());
                Node third = start(data, "node-3", first.advertised().toString())) {
            List<Node> nodes = List.of(first, second, third);
            List<HostPort> addresses = nodes.stream().map(Node::advertised).toList();
            awaitReady(nodes);
            tell("Registry nodes run at " + listed(addresses) + ".");
            try (RegistryClient client = RegistryClient.connect(RegistryOptions.configOf(addresses))) {
                client.ontologies().put(CaseStudy.ontology());
                tell("Its ontology says what is a kind of what: "
                        + CaseStudy.ontology().iri() + " is put into it.");
                register(client, study);
                return ask(client, study, addresses);
            }
        } finally {
            Folders.remove(data);
        }
    }

    private static Node start(Path data, String id, String seed) {
        return Node.start(NodeConfig.parse(Map.of(
                "node.id",
                id,
                "node.listen",
                "127.0.0.1:0",
                "cluster.seeds",
                seed,
                // All of them end together: nobody is left to hand over to.
                "cluster.handover",
                "1ms",
                NodeSettings.DATA_DIRECTORY,
                data.resolve(id).toString())));
    }

    private void awaitReady(List<Node> nodes) {
        long endNanos = environment.nanos().getAsLong() + READY_MAX.toNanos();
        while (!nodes.stream().allMatch(node -> node.status().ready())) {
            if (environment.nanos().getAsLong() - endNanos > 0) {
                throw new NotReady("the nodes have not found each other within " + READY_MAX, Optional.empty());
            }
            if (environment.stop().await(READY_POLL)) {
                throw new NotReady("stopped while the nodes were starting", Optional.empty());
            }
        }
    }

    private static String listed(List<HostPort> addresses) {
        return addresses.stream().map(HostPort::toString).collect(Collectors.joining(","));
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

    private int ask(RegistryClient client, CaseStudy study, List<HostPort> addresses) {
        Terms terms = study.terms();
        tell("", "Who has works of the horror genre? Asked for is " + study.question() + ":", "");
        MatchQuery query = MatchQuery.of(study.pattern()).explained();
        Discovery found = Inferred.of(client, query, Optional.empty());
        if (json.isWanted()) {
            environment.out().json(found.json());
        } else {
            found.print(environment, terms);
            // The way of the thesis: all tags are fetched, and the client infers.
            Discovery here = Inferred.of(SemanticIndex.over(client), query);
            tell(
                    "",
                    "The registry has inferred that. "
                            + (here.matches().equals(found.matches())
                                    ? "Inferred in the client, over the same ontology, the answer is the same."
                                    : "Inferred in the client, the answer is another: " + here.json()));
        }
        if (keep) {
            environment.out().flush();
            environment.say("the nodes go on until interrupted (Ctrl-C); in another terminal, try");
            for (String command : List.of(
                    "names",
                    "discover --name service-2",
                    "ontology list",
                    "discover --concept :Obra --prefix =http://example.org/obras# --explain")) {
                environment.err().println("  tagbahn " + command + " --registry " + listed(addresses));
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
}
