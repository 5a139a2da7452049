// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.cli.ContainerFiles.Service;
import io.tagbahn.cli.TestingRun.Outcome;
import io.tagbahn.model.HostPort;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The image and the composition hold what this checkout builds and runs, told without an engine. */
final class ContainersTest {

    private static final String DATA = "/var/lib/tagbahn";

    static Stream<String> nodes() {
        return ContainerFiles.services().keySet().stream().filter(name -> name.startsWith("node-"));
    }

    static Stream<List<String>> commands() {
        return Stream.concat(
                Stream.of(ContainerFiles.execForm("CMD")),
                ContainerFiles.services().values().stream().flatMap(Service::commands));
    }

    @Test
    void imageHoldsTheDistributionThatTheLauncherBuildsAndStartsItWithoutAShell() {
        List<String> lines = ContainerFiles.instructions();
        String launcher = ContainerFiles.read("tagbahn");
        assertThat(launcher).contains("target=$root/cli/target\n").contains("dist=$target/tagbahn\n");
        assertThat(ContainerFiles.run("./tagbahn --version")).endsWith("./tagbahn --version");
        assertThat(lines)
                .contains("WORKDIR /src", "COPY . .", "COPY --from=build /src/cli/target/tagbahn /opt/tagbahn")
                .contains("COPY --from=build /opt/java /opt/java");
        assertThat(ContainerFiles.run("useradd")).contains("ln -s /opt/tagbahn/bin/tagbahn /usr/local/bin/tagbahn");
        assertThat(ContainerFiles.last("ENV")).contains("JAVA_HOME=/opt/java");
        assertThat(ContainerFiles.execForm("ENTRYPOINT")).containsExactly("tagbahn");
    }

    @Test
    void nothingThatTheBuildNeedsIsLeftOutOfItsContext() {
        List<String> ignored = ContainerFiles.read(".dockerignore").lines().toList();
        assertThat(ignored).contains(".git", "**/target");
        for (String needed : List.of(
                "pom.xml",
                "mvnw",
                ".mvn",
                "tagbahn",
                "LICENSE",
                "NOTICE",
                "ontology",
                "thrift",
                "registry-client",
                "registry-server",
                "bench",
                "cli")) {
            assertThat(ContainerFiles.ROOT.resolve(needed)).exists();
            assertThat(ignored).doesNotContain(needed, needed + "/", "**/" + needed);
        }
    }

    @Test
    void containersRunWithoutRootAndWriteTheirVolumeOnly() {
        assertThat(ContainerFiles.last("USER")).isEqualTo("tagbahn");
        assertThat(ContainerFiles.last("VOLUME")).isEqualTo(DATA);
        assertThat(ContainerFiles.run("useradd")).contains("install -d -o tagbahn -g tagbahn -m 0750 " + DATA);
        assertThat(ContainerFiles.services()).hasSize(4).allSatisfy((name, service) -> {
            assertThat(service.text("image")).isEqualTo("tagbahn");
            assertThat(service.text("read_only")).isEqualTo("true");
            assertThat(service.list("cap_drop")).containsExactly("ALL");
        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandIsOneThatTheCommandLineTakes(List<String> command) {
        assertThat(GrammarTest.grammar()
                        .parseArgs(command.toArray(String[]::new))
                        .hasSubcommand())
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void nodeIsReachedUnderItsNameAndFindsTheOthers(String name) {
        Service node = requireNonNull(ContainerFiles.services().get(name));
        assertThat(node.text("hostname")).isEqualTo(name);
        assertThat(node.options("id")).containsExactly(name);
        assertThat(node.options("advertise")).containsExactly(name + ":21300");
        assertThat(node.options("seed"))
                .containsExactlyInAnyOrderElementsOf(nodes().filter(other -> !other.equals(name))
                        .map(other -> other + ":21300")
                        .toList());
        assertThat(node.options("data-dir")).containsExactly(DATA);
        assertThat(node.list("volumes")).containsExactly(name + ":" + DATA);
        assertThat(node.list("ports"))
                .singleElement()
                .satisfies(port -> assertThat(port).startsWith("127.0.0.1:").endsWith(":21300"));
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void settingsOfANodeAreLegalAndItsPortsAreThoseOfTheImage(String name) {
        Service node = requireNonNull(ContainerFiles.services().get(name));
        Map<String, String> settings =
                new HashMap<>(Map.of("node.listen", node.options("listen").get(0)));
        node.options("set").forEach(text -> {
            String[] pair = text.split("=", 2);
            settings.put(pair[0], pair[1]);
        });
        NodeConfig config = NodeConfig.parse(settings);
        int port = config.listen().port();
        assertThat(config.listen().isWildcard()).isTrue();
        assertThat(ContainerFiles.last("EXPOSE")).isEqualTo(port + " " + (port + 1) + "/tcp " + (port + 1) + "/udp");
        Duration grace = Duration.parse("PT" + node.text("stop_grace_period"));
        assertThat(grace).isGreaterThan(config.cluster().handover().plus(config.drain()));
    }

    @Test
    void sampleRegistersWhatItSaysAndItsHealthCheckFindsIt(@TempDir Path data) {
        Service sample = requireNonNull(ContainerFiles.services().get("sample"));
        String registry = String.valueOf(sample.map("environment").get(RegistryOptions.VARIABLE));
        assertThat(Stream.of(registry.split(",", -1))
                        .map(HostPort::parse)
                        .map(each -> each.host().toString()))
                .containsExactlyElementsOf(nodes().toList());
        assertThat(sample.map("depends_on"))
                .hasSize(3)
                .allSatisfy(
                        (name, condition) -> assertThat(condition).isEqualTo(Map.of("condition", "service_healthy")));
        try (TestingNode node = TestingNode.start(data)) {
            List<String> check = sample.healthcheck();
            List<String> ask = check.subList(1, check.size());
            assertThat(TestingRun.at(node, ask.toArray(String[]::new)).exitCode())
                    .isEqualTo(1);
            List<String> once = new ArrayList<>(sample.list("command"));
            once.add("--once");
            Outcome registered = TestingRun.at(node, once.toArray(String[]::new));
            assertThat(registered.exitCode()).as(registered.err()).isZero();
            assertThat(TestingRun.at(node, ask.toArray(String[]::new)).exitCode())
                    .isZero();
        }
    }
}
