// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/** Sends hostile bytes in the manners of bad peers: at once, in pieces, half-closed, or left hanging. */
final class FuzzSocket implements AutoCloseable {

    private static final int HANGING_MAX = 100;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int ANSWER_MILLIS = 5;

    private final InetSocketAddress target;
    private final RandomGenerator random;
    private final Deque<Socket> hanging = new ArrayDeque<>();
    private final byte[] sink = new byte[1 << 16];

    FuzzSocket(InetSocketAddress target, RandomGenerator random) {
        this.target = target;
        this.random = random;
    }

    /**
     * Opens a connection and sends.
     *
     * @throws IOException if the target takes no connections; that it closes one is its right
     */
    void send(byte[] bytes) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(target, TIMEOUT_MILLIS);
        boolean hang = random.nextInt(20) == 0;
        try {
            if (random.nextInt(4) == 0) {
                int at = 0;
                while (at < bytes.length) {
                    int length = Math.min(1 + random.nextInt(16), bytes.length - at);
                    socket.getOutputStream().write(bytes, at, length);
                    at += length;
                }
            } else {
                socket.getOutputStream().write(bytes);
            }
            if (random.nextInt(4) == 0) {
                socket.shutdownOutput();
            }
            if (random.nextInt(2) == 0) {
                socket.setSoTimeout(ANSWER_MILLIS);
                long unused = socket.getInputStream().read(sink);
                assert unused <= sink.length;
            }
        } catch (IOException e) {
            // Closed by the target, or silent: both are allowed.
            hang = false;
        }
        if (!hang) {
            socket.close();
            return;
        }
        hanging.add(socket);
        if (hanging.size() > HANGING_MAX) {
            hanging.remove().close();
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : hanging) {
            socket.close();
        }
        hanging.clear();
    }
}
