// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Criticality;
import io.tagbahn.model.HostPort;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Everything about a {@link RegistryClient} that can be chosen.
 *
 * @param registries public addresses of nodes, 1..64; any node answers for the whole registry
 * @param caller name of the service that calls, for the registry's quotas and metrics
 * @param token shown with every call
 * @param kept what is done with answers once they were given
 */
public record RegistryClientConfig(
        List<HostPort> registries,
        Optional<String> caller,
        Optional<String> token,
        CallConfig call,
        LeaseConfig lease,
        ConnectionConfig connection,
        InferenceConfig inference,
        NodesConfig nodes,
        KeptConfig kept) {

    /** Where a node listens that was told nothing else. */
    public static final HostPort REGISTRY_DEFAULT = HostPort.parse("127.0.0.1:21300");

    private static final int REGISTRIES_MAX = 64;

    /** @throws io.tagbahn.model.InvalidArgument where the caller's name or the token is not allowed */
    public RegistryClientConfig {
        registries = List.copyOf(new LinkedHashSet<>(registries));
        Ranges.check("registries (their number)", registries.size(), 1, REGISTRIES_MAX);
        context(caller, token); // checks both
    }

    /** A node on this machine, and everything else as it usually fits. */
    public static RegistryClientConfig defaults() {
        return new RegistryClientConfig(
                List.of(REGISTRY_DEFAULT),
                Optional.empty(),
                Optional.empty(),
                CallConfig.defaults(),
                LeaseConfig.defaults(),
                ConnectionConfig.defaults(),
                InferenceConfig.defaults(),
                NodesConfig.defaults(),
                KeptConfig.defaults());
    }

    /**
     * The addresses in a text such as {@code node1:21300,node2:21300}.
     *
     * @throws io.tagbahn.model.InvalidArgument where one of them is no address
     */
    public static List<HostPort> parseRegistries(String... registries) {
        return Arrays.stream(registries)
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .map(HostPort::parse)
                .toList();
    }

    /** What every call of the client says of itself. */
    CallContext context() {
        return context(caller, token);
    }

    private static CallContext context(Optional<String> caller, Optional<String> token) {
        return new CallContext(Optional.empty(), Criticality.NORMAL, caller, Optional.empty(), token, 0);
    }

    public RegistryClientConfig withRegistries(List<HostPort> newRegistries) {
        return new RegistryClientConfig(newRegistries, caller, token, call, lease, connection, inference, nodes, kept);
    }

    public RegistryClientConfig withRegistries(String... newRegistries) {
        return withRegistries(parseRegistries(newRegistries));
    }

    public RegistryClientConfig withCaller(String newCaller) {
        return new RegistryClientConfig(
                registries, Optional.of(newCaller), token, call, lease, connection, inference, nodes, kept);
    }

    public RegistryClientConfig withToken(String newToken) {
        return new RegistryClientConfig(
                registries, caller, Optional.of(newToken), call, lease, connection, inference, nodes, kept);
    }

    public RegistryClientConfig withCall(CallConfig newCall) {
        return new RegistryClientConfig(registries, caller, token, newCall, lease, connection, inference, nodes, kept);
    }

    public RegistryClientConfig withLease(LeaseConfig newLease) {
        return new RegistryClientConfig(registries, caller, token, call, newLease, connection, inference, nodes, kept);
    }

    public RegistryClientConfig withConnection(ConnectionConfig newConnection) {
        return new RegistryClientConfig(registries, caller, token, call, lease, newConnection, inference, nodes, kept);
    }

    public RegistryClientConfig withInference(InferenceConfig newInference) {
        return new RegistryClientConfig(registries, caller, token, call, lease, connection, newInference, nodes, kept);
    }

    public RegistryClientConfig withNodes(NodesConfig newNodes) {
        return new RegistryClientConfig(registries, caller, token, call, lease, connection, inference, newNodes, kept);
    }

    public RegistryClientConfig withKept(KeptConfig newKept) {
        return new RegistryClientConfig(registries, caller, token, call, lease, connection, inference, nodes, newKept);
    }
}
