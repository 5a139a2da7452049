// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.NodeStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tagbahn node}. */
@Command(
        name = "node",
        description = "Prints what the asked node says of itself.",
        footer = {"", "Example:", "  tagbahn node --registry 10.0.0.1:21300"})
final class NodeCommand implements Callable<Integer> {

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    NodeCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        NodeStatus status;
        try (RegistryClient client = registry.connect(environment)) {
            status = client.status();
        }
        Output out = environment.out();
        if (json.isWanted()) {
            out.json(JsonForm.of(status));
        } else {
            out.line("id         " + status.id());
            out.line("version    " + status.version());
            out.line("ready      " + (status.ready() ? "yes" : "no"));
            out.line("replicas   " + status.replicas());
            out.line("entries    " + status.tags());
            out.line("instances  " + status.instances());
            out.line("ontology   " + (status.ontologyVersion().isEmpty() ? "none" : status.ontologyVersion()));
            out.line("uptime     " + status.uptime().toSeconds() + " s");
        }
        return status.ready() ? ExitCode.DONE : ExitCode.UNAVAILABLE;
    }
}
