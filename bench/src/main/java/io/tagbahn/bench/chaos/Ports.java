// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback for nodes, each with the one above it. */
final class Ports {

    /** Below what systems give to outgoing connections: a node that is restarted would find its port taken by one. */
    private static final int FIRST = 12_000;

    private static final int LAST = 31_000;

    private Ports() {}

    /** Ports that were free a moment ago. */
    static List<Integer> free(int nodes) {
        List<Integer> found = new ArrayList<>();
        int port = FIRST + 2 * ThreadLocalRandom.current().nextInt((LAST - FIRST) / 2);
        for (int tried = FIRST; tried < LAST && found.size() < nodes; tried += 2, port += 2) {
            if (port >= LAST) {
                port = FIRST;
            }
            if (isFree(port) && isFree(port + 1)) {
                found.add(port);
            }
        }
        if (found.size() < nodes) {
            throw new ScenarioFailure("no " + nodes + " free pairs of ports within " + FIRST + ".." + LAST);
        }
        return found;
    }

    private static boolean isFree(int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (ServerSocket streams = new ServerSocket();
                DatagramSocket datagrams = new DatagramSocket(null)) {
            streams.bind(address);
            datagrams.bind(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
