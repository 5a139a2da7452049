// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Instance;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPeers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Looks tags up all the time, and compares what comes with what is registered. Counters are read after its end. */
final class Caller {

    private static final Duration PERIOD = Duration.ofMillis(4);
    private static final int BATCH_EVERY = 10;
    private static final int BATCH_TAGS = 20;

    private final RegistryClient client;
    /** The node that it asks; absent where it may ask any. */
    private final Optional<ProcessNode> only;

    private final Fleet fleet;
    private final List<String> tags;
    private final SplittableRandom random;
    private final Thread thread;
    private volatile boolean stopped;

    long calls;
    long empty;
    long wrong;
    long incomplete;
    long degraded;
    /** Failures of calls whose node had nothing done to it while they were under way. */
    long failed;
    /** Failures of calls to a node that was killed, stopped or not ready yet. */
    long failedAtDowned;

    long gapMaxNanos;
    final Map<String, Integer> reasons = new TreeMap<>();
    private long rightNanos;

    Caller(RegistryClient client, Optional<ProcessNode> only, Fleet fleet, SplittableRandom random) {
        this.client = client;
        this.only = only;
        this.fleet = fleet;
        this.tags = fleet.tags();
        this.random = random;
        this.thread = new Thread(
                this::work, "chaos-caller-" + only.map(ProcessNode::id).orElse("any"));
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }

    boolean isRoaming() {
        return only.isEmpty();
    }

    private boolean isUp() {
        return only.map(ProcessNode::isUp).orElse(true);
    }

    private void work() {
        rightNanos = System.nanoTime();
        while (!stopped) {
            long begunNanos = System.nanoTime();
            look();
            long left = PERIOD.toNanos() - (System.nanoTime() - begunNanos);
            if (left > 0) {
                Waiting.pause(Duration.ofNanos(left));
            }
        }
    }

    private void look() {
        List<String> asked = new ArrayList<>();
        int wanted = calls % BATCH_EVERY == 0 ? BATCH_TAGS : 1;
        for (int i = 0; i < wanted; i++) {
            asked.add(tags.get(random.nextInt(tags.size())));
        }
        calls++;
        boolean up = isUp();
        try {
            TagPeers found = client.tagDiscover(asked);
            check(asked, found);
        } catch (NoPeersAvailable e) {
            empty++;
            note("empty: " + e.getMessage());
        } catch (RegistryException e) {
            if (up && isUp()) {
                failed++;
                note(e.getClass().getSimpleName() + ": " + e.getMessage());
            } else {
                failedAtDowned++;
            }
        }
        if (!up || !isUp()) {
            rightNanos = System.nanoTime(); // a gap at a node that is down is none of the registry's
        }
    }

    private void check(List<String> asked, TagPeers found) {
        boolean right = true;
        for (String tag : asked) {
            List<Instance> instances = found.instances().getOrDefault(tag, List.of());
            if (instances.isEmpty()) {
                right = false;
                if (found.degraded()) {
                    incomplete++;
                } else {
                    empty++;
                    note("missing: " + tag);
                }
            } else if (instances.size() != 1
                    || !instances
                            .get(0)
                            .id()
                            .value()
                            .equals(fleet.instanceByTag().get(tag))) {
                right = false;
                wrong++;
                note("wrong: " + tag + " " + instances);
            }
        }
        degraded += found.degraded() ? 1 : 0;
        if (right) {
            long nowNanos = System.nanoTime();
            gapMaxNanos = Math.max(gapMaxNanos, nowNanos - rightNanos);
            rightNanos = nowNanos;
        }
    }

    private void note(String reason) {
        String at = only.map(ProcessNode::id).orElse("any");
        String text = at + " " + reason;
        if (reasons.size() < 50 || reasons.containsKey(text)) {
            reasons.merge(text, 1, Integer::sum);
        }
    }
}
