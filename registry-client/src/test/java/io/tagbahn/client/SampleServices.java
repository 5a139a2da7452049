// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process with some small services, each with a port of its own, that answer each byte with the same. Arguments: the
 * registry, the tag of this process, the number of services, the time to drain in milliseconds.
 */
final class SampleServices {

    private SampleServices() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<ServerSocket> ports = new ArrayList<>();
        RegistryClientConfig config =
                RegistryClientConfig.defaults().withRegistries(arguments[0].split(",", -1));
        RegistryClient registry = RegistryClient.connect(config.withCall(
                        config.call().withWriteTimeout(Duration.ofSeconds(60))))
                .closeOnShutdown(Duration.ofMillis(Long.parseLong(arguments[3])), () -> ports.forEach(SampleServices::close));
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            ports.add(port);
            Thread thread = new Thread(() -> serve(port), "service-" + i);
            thread.setDaemon(true);
            thread.start();
            registry.register("sample", "127.0.0.1:" + port.getLocalPort(), arguments[1]);
        }
        System.out.println("registered");
        Thread.currentThread().join();
    }

    private static void serve(ServerSocket port) {
        while (!port.isClosed()) {
            try (Socket caller = port.accept()) {
                int asked = caller.getInputStream().read();
                caller.getOutputStream().write(asked);
            } catch (IOException e) {
                if (!port.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static void close(ServerSocket port) {
        try {
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
