// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * Hosts of their own on this machine: network namespaces behind one bridge, which this process reaches as well. Links
 * between hosts are cut by packet filters within the namespaces. Linux, as root.
 */
final class NetworkLab implements AutoCloseable {

    private static final int HOSTS_MAX = 50;
    private static final String TABLE = "tagbahn_cut";

    private final String prefix;
    private final String net;
    private final int hosts;

    private NetworkLab(String prefix, String net, int hosts) {
        this.prefix = prefix;
        this.net = net;
        this.hosts = hosts;
    }

    /** Why there can be no such network on this machine; absent where there can. */
    static Optional<String> obstacle() {
        if (!Files.isDirectory(Path.of("/proc/self/ns"))) {
            return Optional.of("needs Linux with network namespaces");
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            return Optional.of("needs root, for network namespaces");
        }
        for (String tool : List.of("ip", "nft")) {
            try {
                run("", List.of(tool, "-V"));
            } catch (ScenarioFailure e) {
                return Optional.of("needs the command " + tool);
            }
        }
        return Optional.empty();
    }

    static NetworkLab open(int hosts) {
        if (hosts < 1 || hosts > HOSTS_MAX) {
            throw new IllegalArgumentException(hosts + " hosts are not within 1.." + HOSTS_MAX);
        }
        int id = ThreadLocalRandom.current().nextInt(1, 255);
        NetworkLab lab = new NetworkLab("tbc" + id, "10.213." + id + ".", hosts);
        try {
            lab.build();
            return lab;
        } catch (RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    private void build() {
        ip("link", "add", prefix, "type", "bridge");
        ip("addr", "add", net + "254/24", "dev", prefix);
        ip("link", "set", prefix, "up");
        for (int host = 1; host <= hosts; host++) {
            String name = namespace(host);
            String link = prefix + "v" + host;
            ip("netns", "add", name);
            ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name);
            ip("link", "set", link, "master", prefix, "up");
            ip("-n", name, "addr", "add", address(host) + "/24", "dev", "eth0");
            ip("-n", name, "link", "set", "eth0", "up");
            ip("-n", name, "link", "set", "lo", "up");
        }
    }

    private String namespace(int host) {
        return prefix + "h" + host;
    }

    /** @param host counted from 1 */
    String address(int host) {
        return net + host;
    }

    /** What a command is to begin with that runs on a host. */
    List<String> on(int host) {
        return List.of("ip", "netns", "exec", namespace(host));
    }

    /** No packet gets from these to those any more; the other way is as it was. */
    void cut(List<Integer> from, List<Integer> to) {
        String sources = from.stream().map(this::address).collect(Collectors.joining(", "));
        for (int host : to) {
            List<String> line = new ArrayList<>(on(host));
            line.addAll(List.of("nft", "-f", "-"));
            run(
                    "add table inet " + TABLE + "\n"
                            + "add chain inet " + TABLE + " in { type filter hook input priority 0; }\n"
                            + "add rule inet " + TABLE + " in ip saddr { " + sources + " } drop\n",
                    line);
        }
    }

    /** No packet gets from one of the groups to the other. */
    void part(List<Integer> one, List<Integer> other) {
        cut(one, other);
        cut(other, one);
    }

    /** All packets get through again. */
    void heal() {
        for (int host = 1; host <= hosts; host++) {
            List<String> line = new ArrayList<>(on(host));
            line.addAll(List.of("nft", "-f", "-"));
            run("add table inet " + TABLE + "\ndelete table inet " + TABLE + "\n", line);
        }
    }

    private static void ip(String... arguments) {
        List<String> line = new ArrayList<>(List.of("ip"));
        line.addAll(List.of(arguments));
        run("", line);
    }

    private static void run(String input, List<String> line) {
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new ScenarioFailure(String.join(" ", line) + ": " + said.strip());
            }
        } catch (IOException e) {
            throw new ScenarioFailure(String.join(" ", line) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw Waiting.interrupted();
        }
    }

    /** Removes all of it; what runs on a host goes on without a network. */
    @Override
    public void close() {
        for (int host = 1; host <= hosts; host++) {
            remove("netns", "del", namespace(host));
        }
        remove("link", "del", prefix);
    }

    private static void remove(String... arguments) {
        try {
            ip(arguments);
        } catch (ScenarioFailure e) {
            // It was never made.
        }
    }
}
