// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The Dockerfile and docker-compose.yml at the root of the checkout, as an engine would read them. */
final class ContainerFiles {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private ContainerFiles() {}

    /** The instructions of the Dockerfile, such as {@code USER tagbahn}, each on one line. */
    static List<String> instructions() {
        return read("Dockerfile")
                .replaceAll("(?m)^#.*\\R", "")
                .replaceAll("\\\\\\R\\s*", "")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** What follows an instruction where it stands last. */
    static String last(String instruction) {
        List<String> found = instructions().stream()
                .filter(line -> line.startsWith(instruction + " "))
                .map(line -> line.substring(instruction.length() + 1))
                .toList();
        assertThat(found).as(instruction).isNotEmpty();
        return found.get(found.size() - 1);
    }

    /** The {@code RUN} instruction that holds a text. */
    static String run(String part) {
        List<String> found = instructions().stream()
                .filter(line -> line.startsWith("RUN ") && line.contains(part))
                .toList();
        assertThat(found).as(part).hasSize(1);
        return found.get(0).substring("RUN ".length());
    }

    /** An instruction in exec form, which starts no shell: a JSON array. */
    static List<String> execForm(String instruction) {
        JsonArray array = JsonParser.parseString(last(instruction)).getAsJsonArray();
        return array.asList().stream().map(JsonElement::getAsString).toList();
    }

    /** The services of docker-compose.yml by name; variables stand as their defaults. */
    static Map<String, Service> services() {
        Matcher variable = Pattern.compile("\\$\\{\\w+:-([^}]*)}").matcher(read("docker-compose.yml"));
        Map<String, Object> document = asMap(new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(variable.replaceAll(each -> Matcher.quoteReplacement(each.group(1)))));
        Map<String, Service> services = new LinkedHashMap<>();
        asMap(document.get("services")).forEach((name, service) -> services.put(name, new Service(asMap(service))));
        return services;
    }

    static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked") // keys of such documents are texts
    private static Map<String, Object> asMap(@Nullable Object node) {
        assertThat(node).isInstanceOf(Map.class);
        return (Map<String, Object>) requireNonNull(node);
    }

    /** A service of docker-compose.yml. */
    record Service(Map<String, Object> keys) {

        List<String> list(String key) {
            assertThat(keys.get(key)).as(key).isInstanceOf(List.class);
            return ((List<?>) requireNonNull(keys.get(key)))
                    .stream().map(String::valueOf).toList();
        }

        String text(String key) {
            return String.valueOf(keys.get(key));
        }

        Map<String, Object> map(String key) {
            return asMap(keys.get(key));
        }

        /** The values of an option {@code --name=value} of its command. */
        List<String> options(String name) {
            String start = "--" + name + "=";
            return list("command").stream()
                    .filter(argument -> argument.startsWith(start))
                    .map(argument -> argument.substring(start.length()))
                    .toList();
        }

        /** What its health check runs, without the word that says so. */
        List<String> healthcheck() {
            List<String> test = new Service(map("healthcheck")).list("test");
            assertThat(test.get(0)).isEqualTo("CMD");
            return test.subList(1, test.size());
        }

        /** Everything that it starts: the commands of its process and of its health check. */
        Stream<List<String>> commands() {
            List<String> check = healthcheck();
            assertThat(check.get(0)).isEqualTo(execForm("ENTRYPOINT").get(0));
            return Stream.of(list("command"), check.subList(1, check.size()));
        }
    }
}
