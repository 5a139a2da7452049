// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import io.tagbahn.bench.ClosedLoop;
import io.tagbahn.bench.JavaProcess;
import io.tagbahn.bench.LoopOutcome;
import io.tagbahn.bench.OpenLoop;
import io.tagbahn.bench.WireCall;
import io.tagbahn.model.HostPort;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A process that makes load: reads {@linkplain Stage stages} line by line, and answers each with what it came to. */
final class LoadProcess implements AutoCloseable {

    private static final int CALLS_PENDING_MAX = 8_192;
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmn128m");

    private final JavaProcess process;

    private LoadProcess(JavaProcess process) {
        this.process = process;
    }

    /** Starts one, which has made each of its calls once when this returns. */
    static LoadProcess start(WorkerPlan plan) throws IOException {
        JavaProcess process = JavaProcess.start(JVM, LoadProcess.class, plan.arguments());
        String line = process.answer();
        if (!line.equals("ready")) {
            process.close();
            throw new IOException("a process for load did not start: " + line);
        }
        return new LoadProcess(process);
    }

    /** Has it begin, without waiting for its end. */
    void begin(Stage stage, int processes) throws IOException {
        process.say(stage.line(processes));
    }

    LoopOutcome end() throws IOException {
        String[] words = process.answer("done").split(" ", -1);
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(words[3]));
            return new LoopOutcome(
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    Double.parseDouble(words[2]),
                    Histogram.decodeFromCompressedByteBuffer(bytes, 0));
        } catch (DataFormatException e) {
            throw new IOException("not a histogram: " + words[3], e);
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
    }

    /** The other process. */
    public static void main(String[] args) throws Exception {
        WorkerPlan plan = WorkerPlan.of(args);
        List<RpcClient> clients = new ArrayList<>();
        try (RpcLoops loops = RpcLoops.start("load", 1, System::nanoTime);
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (int i = 0; i < plan.connections(); i++) {
                clients.add(client(
                        loops,
                        plan.nodes().get((plan.number() + i) % plan.nodes().size()),
                        i));
            }
            List<RpcClient> echoes = new ArrayList<>();
            for (int i = 0; i < plan.connections(); i++) {
                echoes.add(client(loops, plan.echo(), i));
            }
            Workload workload = new Workload(plan, new SplittableRandom(plan.number()));
            for (Operation operation : plan.mix().operations()) {
                WireCall<?, ?> call = workload.next(operation);
                call.priming(call.on(clients.get(0)).join()).on(echoes.get(0)).join();
            }
            System.out.println("ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Stage stage = Stage.of(line);
                System.out.println(text(run(stage, stage.onEcho() ? echoes : clients, workload)));
            }
            CompletableFuture.allOf(workload.deregistrations().stream()
                            .map(call -> call.on(clients.get(0)))
                            .toArray(CompletableFuture[]::new))
                    .join();
            echoes.forEach(RpcClient::close);
        } finally {
            clients.forEach(RpcClient::close);
        }
    }

    private static RpcClient client(RpcLoops loops, HostPort address, int seed) {
        return RpcClient.create(
                loops,
                InetSocketAddress.createUnresolved(address.host().toString(), address.port()),
                RpcClientConfig.defaults().withCallsPendingMax(CALLS_PENDING_MAX),
                new SplittableRandom(seed));
    }

    private static LoopOutcome run(Stage stage, List<RpcClient> clients, Workload workload)
            throws InterruptedException {
        if (stage instanceof Stage.AtRate open) {
            int[] next = {0};
            Supplier<CompletionStage<?>> call = () -> workload.next().on(clients.get(next[0]++ % clients.size()));
            return new OpenLoop(open.perSecond(), System::nanoTime, call).run(stage.length());
        }
        int inFlight = ((Stage.InFlight) stage).perConnection();
        return new ClosedLoop(
                        clients.size(),
                        inFlight,
                        System::nanoTime,
                        connection -> () -> workload.next().on(clients.get(connection)))
                .run(stage.length());
    }

    private static String text(LoopOutcome outcome) {
        ByteBuffer bytes = ByteBuffer.allocate(outcome.latencyNanos().getNeededByteBufferCapacity());
        int length = outcome.latencyNanos().encodeIntoCompressedByteBuffer(bytes);
        byte[] encoded = new byte[length];
        bytes.rewind().get(encoded);
        return "done " + outcome.calls() + " " + outcome.failures() + " " + outcome.callsPerSecond() + " "
                + Base64.getEncoder().encodeToString(encoded);
    }
}
