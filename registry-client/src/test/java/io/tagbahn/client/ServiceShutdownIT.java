// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.RegistryException;
import io.tagbahn.server.node.Node;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred services in five processes that are told to end while they are being called. */
class ServiceShutdownIT {

    private static final int NODES = 3;
    private static final int PROCESSES = 5;
    private static final int SERVICES_EACH = 40;
    private static final Duration DRAIN = Duration.ofSeconds(1);
    /** A process on its own needs less than five seconds besides; one of a machine that is busy may need more. */
    private static final Duration END_MAX = DRAIN.plus(TestNodes.PATIENCE);

    @TempDir
    private Path folder;

    private final List<Node> nodes = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        // Leases so long that an instance which is gone was deregistered.
        Map<String, String> settings = Map.of("lease.min", "10m", "lease.default", "10m");
        for (int i = 0; i < NODES; i++) {
            Map<String, String> all = new HashMap<>(settings);
            if (i > 0) {
                all.put("cluster.seeds", TestNodes.address(nodes.get(0)));
            }
            nodes.add(TestNodes.start(folder.resolve("n" + i), 0, all));
        }
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(process(i));
        }
        for (Process process : processes) {
            BufferedReader lines = process.inputReader();
            for (String line = lines.readLine(); !"registered".equals(line); line = lines.readLine()) {
                assertThat(line).as("a process ended early").isNotNull();
            }
        }
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        nodes.forEach(Node::close);
    }

    private Process process(int number) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        "-cp",
                        classPath,
                        SampleServices.class.getName(),
                        nodes.stream().map(TestNodes::address).collect(Collectors.joining(",")),
                        "urn:process:" + number,
                        Integer.toString(SERVICES_EACH),
                        Long.toString(DRAIN.toMillis()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static boolean isGone(RegistryClient client, int process) {
        try {
            client.tagDiscover("urn:process:" + process);
            return false;
        } catch (NoPeersAvailable e) {
            return true;
        } catch (RegistryException e) {
            return false; // a node of a busy machine may have no room for the question
        }
    }

    @Test
    void callersSeeNoErrorWhileServicesEnd() throws Exception {
        List<RegistryClient> observers = nodes.stream()
                .map(node -> RegistryClient.connect(
                        TestNodes.patient(node).withKept(KeptConfig.defaults().none())))
                .toList();
        Callers callers = new Callers(observers.get(0));
        List<Long> goneMillis = new ArrayList<>();
        List<Long> endedMillis = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                Process process = processes.get(i);
                long begunNanos = System.nanoTime();
                process.destroy(); // SIGTERM
                for (RegistryClient observer : observers) {
                    int number = i;
                    await().pollInterval(Duration.ofMillis(20)).atMost(END_MAX).until(() -> isGone(observer, number));
                }
                goneMillis.add((System.nanoTime() - begunNanos) / 1_000_000);
                long leftNanos = END_MAX.toNanos() - (System.nanoTime() - begunNanos);
                assertThat(process.waitFor(leftNanos, TimeUnit.NANOSECONDS)).isTrue();
                endedMillis.add((System.nanoTime() - begunNanos) / 1_000_000);
            }
        } finally {
            callers.stop();
            observers.forEach(RegistryClient::close);
        }
        System.out.println("gone from all nodes after ms: " + goneMillis + ", ended after ms: " + endedMillis
                + ", calls: " + callers.calls + ", lookups rejected: " + callers.rejections);
        assertThat(callers.errors).isEmpty();
        assertThat(callers.calls.get()).isPositive();
    }

    @Test
    void servicesEndInTimeWhereTheRegistryIsGone() throws Exception {
        nodes.forEach(Node::close);
        long begunNanos = System.nanoTime();
        processes.forEach(Process::destroy);
        for (Process process : processes) {
            long leftNanos = END_MAX.toNanos() - (System.nanoTime() - begunNanos);
            assertThat(process.waitFor(leftNanos, TimeUnit.NANOSECONDS)).isTrue();
        }
        System.out.println("ended after ms: " + (System.nanoTime() - begunNanos) / 1_000_000);
    }

    /** Call services all the time. */
    private static final class Callers {
        private final RegistryClient client;
        private final AtomicLong calls = new AtomicLong();
        private final AtomicLong rejections = new AtomicLong();
        private final Queue<String> errors = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean stopped;

        Callers(RegistryClient client) {
            this.client = client;
            for (int i = 0; i < 2; i++) {
                SplittableRandom random = new SplittableRandom(i);
                Thread thread = new Thread(() -> work(random), "caller-" + i);
                thread.start();
                threads.add(thread);
            }
        }

        private void work(SplittableRandom random) {
            while (!stopped) {
                try {
                    List<Instance> instances = client.discover("sample").instances();
                    call(instances.get(random.nextInt(instances.size())).address());
                    calls.incrementAndGet();
                } catch (NoPeersAvailable e) {
                    return; // the last of them has ended
                } catch (RegistryException e) {
                    rejections.incrementAndGet();
                } catch (IOException e) {
                    errors.add(e.toString());
                }
            }
        }

        private static void call(HostPort address) throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.port())) {
                socket.getOutputStream().write(42);
                if (socket.getInputStream().read() != 42) {
                    throw new IOException("no answer");
                }
            }
        }

        void stop() throws InterruptedException {
            stopped = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
