// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import io.tagbahn.bench.JavaProcess;
import io.tagbahn.model.HostPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.thrift.TException;

/** The process that makes the load: reads what to offer line by line, and answers each with what it came to. */
final class OfferingProcess implements AutoCloseable {

    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms128m", "-Xmn64m");

    private final JavaProcess process;

    private OfferingProcess(JavaProcess process) {
        this.process = process;
    }

    static OfferingProcess start(List<HostPort> nodes, int connections, List<String> tags, Duration deadline)
            throws IOException {
        JavaProcess process = JavaProcess.start(
                JVM,
                OfferingProcess.class,
                Stream.concat(
                                Stream.of(
                                        nodes.stream().map(HostPort::toString).collect(Collectors.joining(",")),
                                        Integer.toString(connections),
                                        Long.toString(deadline.toMillis())),
                                tags.stream())
                        .toList());
        if (!process.answer().equals("ready")) {
            process.close();
            throw new IOException("the process for load did not start");
        }
        return new OfferingProcess(process);
    }

    long pid() {
        return process.pid();
    }

    Offered offer(OfferedLoad load) throws IOException {
        process.say(load.line());
        return Offered.of(process.answer("done"));
    }

    @Override
    public void close() throws IOException {
        process.close();
    }

    /** The other process. */
    public static void main(String[] args) throws IOException, TException {
        List<InetSocketAddress> nodes = new ArrayList<>();
        for (String node : args[0].split(",", -1)) {
            HostPort address = HostPort.parse(node);
            nodes.add(new InetSocketAddress(address.host().toString(), address.port()));
        }
        List<String> tags = List.of(args).subList(3, args.length);
        try (RawLoad load = new RawLoad(
                        nodes,
                        Integer.parseInt(args[1]),
                        tags,
                        Duration.ofMillis(Long.parseLong(args[2])),
                        System::nanoTime,
                        new SplittableRandom(1));
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println("done " + load.run(OfferedLoad.of(line)).line());
            }
        }
    }
}
