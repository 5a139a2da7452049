// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A link to a server that can be cut and restored. */
final class TcpProxy implements AutoCloseable {

    private final InetSocketAddress target;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    TcpProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Breaks all connections; new ones are broken as well. */
    void cut() {
        cut = true;
        sockets.forEach(TcpProxy::close);
    }

    void restore() {
        cut = false;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket inbound = server.accept();
                sockets.add(inbound);
                if (cut) {
                    close(inbound);
                    continue;
                }
                Socket outbound = new Socket(target.getAddress(), target.getPort());
                sockets.add(outbound);
                start(() -> copy(inbound, outbound));
                start(() -> copy(outbound, inbound));
            } catch (IOException e) {
                sockets.removeIf(Socket::isClosed); // the target is not there, or this proxy is closed
            }
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            sockets.removeIf(Socket::isClosed); // cut
        } finally {
            close(from);
            close(to);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
