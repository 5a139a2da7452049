// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.RegistryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Who owns some keys, asked of several nodes all the time; counts keys that an owner lost that nothing happened to. */
final class KeyOwners implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final List<RegistryClient> clients = new ArrayList<>();
    private final String suspect;
    private final int keys;
    private final Map<String, List<String>> first = new HashMap<>();
    private final Thread thread = new Thread(this::work, "chaos-owners");
    private volatile boolean stopped;
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong moved = new AtomicLong();

    /** @param suspect the node that may lose keys and get them back */
    KeyOwners(List<ProcessNode> nodes, String suspect, int keys) {
        nodes.forEach(node -> clients.add(node.client()));
        this.suspect = suspect;
        this.keys = keys;
        thread.setDaemon(true);
    }

    /** Takes the owners as they are now for those that should be, and watches from now on. */
    void begin() {
        for (int key = 0; key < keys; key++) {
            first.put(key(key), clients.get(0).owners(key(key)));
        }
        thread.start();
    }

    private static String key(int index) {
        return "urn:key:" + index;
    }

    private void work() {
        for (int turn = 0; !stopped; turn++) {
            String key = key(turn % keys);
            List<String> should = first.getOrDefault(key, List.of());
            for (RegistryClient client : clients) {
                try {
                    List<String> owners = client.owners(key);
                    asked.incrementAndGet();
                    if (!should.stream().filter(owner -> !owner.equals(suspect)).allMatch(owners::contains)) {
                        moved.incrementAndGet();
                    }
                } catch (RegistryException e) {
                    // Not an answer; the next question follows.
                }
            }
            Waiting.pause(PAUSE);
        }
    }

    long asked() {
        return asked.get();
    }

    long moved() {
        return moved.get();
    }

    void stop() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
        clients.forEach(RegistryClient::close);
    }
}
