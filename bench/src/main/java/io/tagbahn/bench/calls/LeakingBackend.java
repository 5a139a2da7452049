// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.client.RegistrationListener;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.ServiceName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program of a backend that retains memory for each request, and works on two at a time: when its memory is full no request
 * is answered any more, until whoever looks after it ends it.
 */
final class LeakingBackend {

    static final String SERVICE = "leaking";
    static final String HEALTH = "/health";

    private static final int THREADS = 16;
    private static final int WORKERS = 2;

    private final Duration work;
    private final long memoryBytes;
    private final int retainedBytes;
    private final AtomicLong used = new AtomicLong();
    private final Queue<byte[]> retained = new ConcurrentLinkedQueue<>(); // bounded by the memory
    private final Semaphore workers = new Semaphore(WORKERS, true);
    private final CountDownLatch never = new CountDownLatch(1);

    private LeakingBackend(Duration work, long memoryBytes, int retainedBytes) {
        this.work = work;
        this.memoryBytes = memoryBytes;
        this.retainedBytes = retainedBytes;
    }

    /** @param args registry, number, port, work in ms, memory in bytes, bytes for each request, share that is full at first */
    public static void main(String[] args) throws IOException {
        int number = Integer.parseInt(args[1]);
        int port = Integer.parseInt(args[2]);
        LeakingBackend backend = new LeakingBackend(
                Duration.ofMillis(Long.parseLong(args[3])), Long.parseLong(args[4]), Integer.parseInt(args[5]));
        backend.fill(Double.parseDouble(args[6]));
        try (HttpService service = HttpService.start(port, THREADS, (path, left) -> backend.answer(path));
                RegistryClient registry = RegistryClient.connect(args[0]);
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Instance instance = Instance.of(new ServiceName(SERVICE), HostPort.parse("127.0.0.1:" + service.port()))
                    .withId(new InstanceId(SERVICE + "-" + number));
            registry.keepRegistered(instance, List.of(), RegistrationListener.NONE);
            System.out.println("ready " + service.port());
            while (input.readLine() != null) {
                // nothing is said but the end
            }
        }
    }

    private void fill(double share) {
        while (used.get() < share * memoryBytes) {
            retain();
        }
    }

    private void retain() {
        retained.add(new byte[retainedBytes]);
        used.addAndGet(retainedBytes);
    }

    private HttpService.Answer answer(String path) throws InterruptedException {
        if (used.get() >= memoryBytes) {
            never.await(); // for memory that nobody frees
        }
        if (path.equals(HEALTH)) {
            return HttpService.Answer.of("well");
        }
        retain();
        workers.acquire();
        try {
            TimeUnit.NANOSECONDS.sleep(work.toNanos());
        } finally {
            workers.release();
        }
        return HttpService.Answer.of("answer");
    }
}
