// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for nodes that must have a known one, each with its successor for members.
 *
 * <p>They lie below those that the system gives to outgoing connections: one of those could be taken by any connection
 * between the look and the start of the node.
 */
final class FreePorts {

    /** Where Linux begins to give ports to outgoing connections; others begin higher. */
    private static final int OUTGOING_FROM = 32_768;

    private static final int FROM = 10_000;

    private FreePorts() {}

    /** A port that is free together with the one after it. */
    static int next() {
        return next(1, 2);
    }

    /** The first of some ports at equal steps that are free, each together with the one after it. */
    static int next(int nodes, int step) {
        int until = OUTGOING_FROM - nodes * step;
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FROM, until);
            if (areFree(port, nodes, step)) {
                return port;
            }
        }
    }

    private static boolean areFree(int port, int nodes, int step) {
        for (int i = 0; i < nodes; i++) {
            if (!isFree(port + step * i) || !isFree(port + step * i + 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFree(int port) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket stream = new ServerSocket(port, 1, loopback);
                DatagramSocket datagrams = new DatagramSocket(new InetSocketAddress(loopback, port))) {
            return stream.isBound() && datagrams.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
