// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A server of {@link EchoAnswers} in a process of its own, as a node is. */
public final class EchoProcess implements AutoCloseable {

    private final JavaProcess process;
    private final InetSocketAddress address;

    private EchoProcess(JavaProcess process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    public static EchoProcess start() throws IOException {
        JavaProcess process = JavaProcess.start(JavaProcess.AS_A_NODE, EchoProcess.class, List.of());
        return new EchoProcess(
                process,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(process.answer("ready"))));
    }

    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() throws IOException {
        process.close();
    }

    /** The other process. */
    public static void main(String[] args) throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), 16); // as many as a node takes
        try (RpcLoops loops = RpcLoops.start("echo", threads, System::nanoTime);
                RpcServer echo = RpcServer.start(loops, anyPort, EchoAnswers.service(), RpcLimits.defaults());
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready " + echo.address().getPort());
            while (input.readLine() != null) {
                // nothing is said but the end
            }
        }
    }
}
