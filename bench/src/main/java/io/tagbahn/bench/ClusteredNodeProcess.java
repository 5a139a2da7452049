// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@link ClusteredNode} as seen by who started it: its process and the pipes to it. */
record ClusteredNodeProcess(Process process, BufferedReader answers) implements AutoCloseable {

    /**
     * Starts a node; what it says is read by {@link #line}.
     *
     * @param jvm options of its JVM, with blanks between
     * @param settings of the node, besides those that it has anyway
     */
    static ClusteredNodeProcess start(String jvm, Path folder, Map<String, String> settings) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(jvm.split(" +", -1)));
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), ClusteredNode.class.getName(), folder.toString()));
        settings.forEach((key, value) -> command.add(key + "=" + value));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new ClusteredNodeProcess(
                process, new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    }

    String line() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the node ended: " + process);
        }
        return line;
    }

    /** Where it answers; read once. */
    InetSocketAddress ready() throws IOException {
        String address = line().substring("ready ".length());
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    long heapBytes() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return Long.parseLong(line());
    }

    /** Memory of the process, in MiB; absent where the machine doesn't say. */
    Optional<Long> residentMib() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return Optional.empty();
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
