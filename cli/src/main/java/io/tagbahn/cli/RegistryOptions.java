// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which nodes to ask, and how long to wait for them. */
final class RegistryOptions {

    /** Names the nodes where no option does. */
    static final String VARIABLE = "TAGBAHN_REGISTRY";

    /**
     * Longer than the client library's: it holds the first call of a process, which loads the classes that calls need, on
     * a machine that may be busy.
     */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration TIMEOUT_MIN = Duration.ofMillis(1);
    private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);

    @Option(
            names = "--registry",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Nodes to ask, separated by commas. Default: the environment variable TAGBAHN_REGISTRY,"
                    + " otherwise 127.0.0.1:21300.")
    private List<HostPort> registries = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Bounds a call, such as 500ms or 5s. Default: 5s for what reads, 10s for what writes.")
    private @Nullable Duration timeout;

    /** A client of the nodes that these options name. */
    RegistryClient connect(Environment environment) {
        return RegistryClient.connect(apply(environment));
    }

    /** What bounds a call, where that was said. */
    Optional<Duration> timeout() {
        Optional<Duration> bound = Optional.ofNullable(timeout);
        if (bound.filter(chosen -> chosen.compareTo(TIMEOUT_MIN) < 0 || chosen.compareTo(TIMEOUT_MAX) > 0)
                .isPresent()) {
            throw new InvalidArgument("--timeout", "not within 1ms..10m");
        }
        return bound;
    }

    /** The client's configuration that these options make, other things left as they are. */
    RegistryClientConfig apply(Environment environment) {
        RegistryClientConfig config = configOf(nodes(environment));
        Optional<Duration> bound = timeout();
        if (bound.isEmpty()) {
            return config;
        }
        Duration chosen = bound.get();
        return config.withCall(config.call().withReadTimeout(chosen).withWriteTimeout(chosen))
                .withInference(config.inference().withTimeout(chosen));
    }

    /** How commands ask, unless they are told otherwise. */
    static RegistryClientConfig configOf(List<HostPort> nodes) {
        RegistryClientConfig config = RegistryClientConfig.defaults().withRegistries(nodes);
        return config.withCall(config.call().withReadTimeout(READ_TIMEOUT));
    }

    private List<HostPort> nodes(Environment environment) {
        if (!registries.isEmpty()) {
            return registries;
        }
        Optional<String> variable = environment.variable(VARIABLE);
        if (variable.isEmpty()) {
            return List.of(RegistryClientConfig.REGISTRY_DEFAULT);
        }
        try {
            return RegistryClientConfig.parseRegistries(variable.get());
        } catch (InvalidArgument e) {
            throw e.within("the environment variable " + VARIABLE);
        }
    }
}
