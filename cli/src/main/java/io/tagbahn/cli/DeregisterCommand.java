// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn deregister}. */
@Command(
        name = "deregister",
        description = "Deregisters an instance, whatever process registered it.",
        footer = {
            "",
            "Exits with 1 where no such instance is registered.",
            "",
            "Example:",
            "  tagbahn deregister --id books/10.0.0.5:8080"
        })
final class DeregisterCommand implements Callable<Integer> {

    /** Below what any registry gives: a heartbeat for it tells whether the instance is there, and renews nothing. */
    private static final long GENERATION_MIN = 1;

    private static final long GENERATION_PRESENT = 0;

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Option(names = "--id", required = true, paramLabel = "ID", description = "The instance.")
    private String id = "";

    DeregisterCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        InstanceId instance = new InstanceId(id);
        try (RegistryClient client = registry.connect(environment)) {
            // The registry says "done" of an unknown instance as well; a person wants to know of a wrong id.
            boolean known = client.heartbeat(List.of(new LeaseRef(instance, GENERATION_MIN)))
                    .unknown()
                    .isEmpty();
            client.deregister(new LeaseRef(instance, GENERATION_PRESENT));
            if (!known) {
                environment.say("not registered: " + id);
                environment
                        .err()
                        .println("  'tagbahn discover --name SERVICE --json' shows the ids of a service's instances");
                return ExitCode.NOTHING_FOUND;
            }
        }
        environment.say("deregistered " + id);
        return ExitCode.DONE;
    }
}
