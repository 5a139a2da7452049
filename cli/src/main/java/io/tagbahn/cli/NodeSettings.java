// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.server.node.NodeConfig;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The settings of a node as they come together: a file, {@code --set}, options; later ones win. */
final class NodeSettings {

    static final String DATA_DIRECTORY = "node.data-dir";

    private NodeSettings() {}

    /**
     * @param file of settings, where there is one
     * @param set texts {@code key=value}
     * @param options by the key that each stands for
     */
    static NodeConfig read(
            @Nullable Path file, List<String> set, Map<String, String> options, Environment environment) {
        Map<String, String> all = new HashMap<>();
        if (file != null) {
            all.putAll(fromFile(file));
        }
        for (String setting : set) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new UsageError("--set '" + setting + "' is not KEY=VALUE");
            }
            all.put(
                    setting.substring(0, equals).strip(),
                    setting.substring(equals + 1).strip());
        }
        all.putAll(options);
        all.values().removeIf(String::isEmpty); // stands for none
        NodeConfig config = NodeConfig.parse(all);
        return all.containsKey(DATA_DIRECTORY) ? config : config.withDataDirectory(dataDirectory(config, environment));
    }

    private static Map<String, String> fromFile(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new UsageError("no such file: --config " + file);
        } catch (CharacterCodingException e) {
            throw new UsageError("--config " + file + " is not valid UTF-8");
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageError("--config " + file + " cannot be read: " + e.getMessage());
        }
        Map<String, String> settings = new HashMap<>();
        properties.stringPropertyNames().forEach(key -> settings.put(key, properties.getProperty(key)));
        return settings;
    }

    /**
     * Holds the port, so that nodes of one user that differ in their ports only do not share it, and a node that comes back
     * at its port is the one that it was.
     */
    private static Path dataDirectory(NodeConfig config, Environment environment) {
        int port = config.listen().port();
        if (port == 0) {
            return fresh();
        }
        Path states = environment
                .variable("XDG_STATE_HOME")
                .map(Path::of)
                .filter(Path::isAbsolute) // others are to be ignored, says the XDG specification
                .orElseGet(() -> home(environment).resolve(".local").resolve("state"));
        return states.resolve("tagbahn").resolve(Integer.toString(port));
    }

    /** A node at whatever port is free is a new node each time. */
    static Path fresh() {
        try {
            return Files.createTempDirectory("tagbahn-");
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary directory: " + e.getMessage(), e);
        }
    }

    private static Path home(Environment environment) {
        return Path.of(environment
                .variable("HOME")
                .orElseThrow(() -> new UsageError("HOME is not set: say where data go, with --data-dir DIR")));
    }
}
