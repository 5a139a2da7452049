// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tagbahn set-status}. */
@Command(
        name = "set-status",
        description =
                "An operator's word on an instance: it stands over what the instance says of itself, also when that"
                        + " registers again. Instances that are not up are not handed out.",
        footer = {"", "Example:", "  tagbahn set-status --id books/10.0.0.5:8080 draining --reason 'kernel update'"})
final class SetStatusCommand implements Callable<Integer> {

    /** The statuses as they are typed. */
    enum Status {
        UP("up", InstanceStatus.UP),
        DRAINING("draining", InstanceStatus.DRAINING),
        OUT_OF_SERVICE("out-of-service", InstanceStatus.OUT_OF_SERVICE);

        private final String typed;
        private final InstanceStatus status;

        Status(String typed, InstanceStatus status) {
            this.typed = typed;
            this.status = status;
        }

        @Override
        public String toString() {
            return typed;
        }
    }

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Option(names = "--id", required = true, paramLabel = "ID", description = "The instance.")
    private String id = "";

    @Option(names = "--reason", paramLabel = "R", description = "Why, for other people.")
    private @Nullable String reason;

    @Parameters(paramLabel = "STATUS", description = "One of ${COMPLETION-CANDIDATES}.")
    private Status status = Status.UP;

    SetStatusCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        InstanceId instance = new InstanceId(id);
        try (RegistryClient client = registry.connect(environment)) {
            client.setStatus(instance, status.status, Optional.ofNullable(reason));
        }
        environment.say(id + " is " + status);
        return ExitCode.DONE;
    }
}
