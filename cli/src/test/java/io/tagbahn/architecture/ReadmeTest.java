// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README promises. */
final class ReadmeTest {

    private static final Path README = Path.of("..", "README.md");

    @Test
    void exampleCompiles(@TempDir Path classes) throws IOException {
        List<String> examples = blocks("java");
        assertThat(examples).hasSize(1);
        assertThat(examples.get(0).lines()).as("a five-line example").hasSize(5);
        String source = "import io.tagbahn.client.*;\nimport io.tagbahn.model.*;\nimport java.util.*;\n"
                + "final class Example {\n void run() {\n" + examples.get(0) + "\n }\n}\n";
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        List<String> options =
                List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
        boolean compiled = compiler.getTask(complaints, null, null, options, null, List.of(file))
                .call();
        assertThat(compiled).as(complaints.toString()).isTrue();
    }

    @Test
    void twoCommandsSetItUp() throws IOException {
        assertThat(blocks("sh").get(0).lines().map(line -> line.replaceAll(" *#.*", "")))
                .containsExactly("./tagbahn demo", "./mvnw verify");
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> targets = new ArrayList<>();
        Matcher links = Pattern.compile("\\]\\(([^)#:]+)\\)").matcher(Files.readString(README));
        while (links.find()) {
            targets.add(links.group(1));
        }
        assertThat(targets).hasSizeGreaterThan(4).allMatch(target -> Files.exists(README.resolveSibling(target)));
    }

    private static List<String> blocks(String language) throws IOException {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(README));
        while (matcher.find()) {
            blocks.add(matcher.group(1).strip());
        }
        return blocks;
    }
}
