// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.RegistryClient;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tagbahn owners}. */
@Command(
        name = "owners",
        description = "Prints the ids of the nodes that are responsible for a tag, first owner first.",
        footer = {"", "Example:", "  tagbahn owners :Livro --prefix =http://example.org/obras#"})
final class OwnersCommand implements Callable<Integer> {

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Mixin
    private TermOptions terms = new TermOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Parameters(paramLabel = "TAG", description = "An IRI, a statement, or a name.")
    private String tag = "";

    OwnersCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        String spelt = TagArgument.parse(tag, terms.terms()).spelling();
        List<String> owners;
        try (RegistryClient client = registry.connect(environment)) {
            owners = client.owners(spelt);
        }
        if (json.isWanted()) {
            environment.out().json(JsonForm.strings(owners));
        } else {
            owners.forEach(environment.out()::line);
        }
        return owners.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }
}
