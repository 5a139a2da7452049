// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
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
        RegistryClient registry = RegistryClient.connect(
                        RegistryClientConfig.defaults().withRegistries(arguments[0].split(",", -1)))
                .closeOnShutdown(
                        Duration.ofMillis(Long.parseLong(arguments[3])), () -> ports.forEach(SampleServices::close));
        List<Registration> registrations = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            ports.add(port);
            Thread thread = new Thread(() -> serve(port), "service-" + i);
            thread.setDaemon(true);
            thread.start();
            registrations.add(registry.keepRegistered(
                    Instance.of(new ServiceName("sample"), HostPort.parse("127.0.0.1:" + port.getLocalPort())),
                    List.of(Tag.parse(arguments[1])),
                    RegistrationListener.NONE));
        }
        registrations.forEach(
                registration -> registration.registered().toCompletableFuture().join());
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
