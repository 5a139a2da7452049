// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The guard and the keeper of a client in virtual time, over nodes in memory. */
final class SimulatedClient {

    final SteppedTimer timer;
    final InMemoryRegistry registry;
    final List<InMemoryNode> nodes;
    final NodePicker picker;
    boolean closed;
    final CallTally tally = new CallTally();
    final CallGuard guard;
    final LeaseKeeper keeper;
    final Loops loops;
    final KeptAnswers kept;

    SimulatedClient(RegistryClientConfig config, int nodeCount, long seed) {
        this(config, nodeCount, seed, new SteppedTimer());
    }

    private SimulatedClient(RegistryClientConfig config, int nodeCount, long seed, SteppedTimer timer) {
        this(config, nodeCount, seed, timer, new InMemoryRegistry(timer));
    }

    SimulatedClient(
            RegistryClientConfig config, int nodeCount, long seed, SteppedTimer timer, InMemoryRegistry registry) {
        this.timer = timer;
        this.registry = registry;
        SplittableRandom random = new SplittableRandom(seed);
        nodes = Stream.iterate(1, number -> number + 1)
                .limit(nodeCount)
                .map(number -> new InMemoryNode(number, registry, timer, random.split()))
                .toList();
        Map<HostPort, Integer> addresses = new LinkedHashMap<>();
        nodes.forEach(node -> addresses.put(node.address(), 3));
        picker = new NodePicker(
                addresses,
                address -> nodes.stream()
                        .filter(node -> node.address().equals(address))
                        .findFirst()
                        .orElseThrow(),
                config.call().avoidFailedFor(),
                config.call().avoidFailedMax(),
                timer,
                random.split());
        guard = new CallGuard(picker, config.call(), config.context(), timer, timer, random.split(), tally);
        loops = new Loops(guard, timer, timer, random.split(), () -> closed);
        kept = new KeptAnswers(loops, config.kept(), tally);
        keeper = new LeaseKeeper(
                guard, config, timer, new Callbacks(new DirectExecutor()), timer, timer, random.split());
    }

    static Instance instance(String name, int port) {
        return Instance.of(new ServiceName(name), HostPort.parse("10.1.0.1:" + port));
    }

    static List<Tag> tags(String... texts) {
        return Stream.of(texts).map(Tag::parse).toList();
    }

    /** The failure of an answer that has come. */
    static Throwable failure(CompletableFuture<?> answer) {
        return answer.handle((value, error) -> {
                    if (error == null) {
                        throw new AssertionError("succeeded with " + value);
                    }
                    return Failures.unwrap(error);
                })
                .getNow(new AssertionError("no answer has come"));
    }
}
