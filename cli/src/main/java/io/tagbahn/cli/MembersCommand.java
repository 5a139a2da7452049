// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tagbahn members}. */
@Command(
        name = "members",
        description = "Prints the nodes of the registry, as the asked node sees them.",
        footer = {"", "Example:", "  tagbahn members --json"})
final class MembersCommand implements Callable<Integer> {

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    MembersCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        List<Member> members;
        try (RegistryClient client = registry.connect(environment)) {
            members = client.members();
        }
        if (json.isWanted()) {
            JsonArray document = new JsonArray();
            members.forEach(member -> document.add(JsonForm.of(member)));
            environment.out().json(document);
        } else {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("ID", "ADDRESS", "STATE", "INCARNATION", "ZONE", "RING"));
            members.forEach(member -> rows.add(row(member)));
            Table.print(environment.out(), rows);
        }
        return members.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }

    private static List<String> row(Member member) {
        String share = member.ringShare().isPresent()
                ? String.format(Locale.ROOT, "%.1f %%", 100 * member.ringShare().getAsDouble())
                : "-";
        return List.of(
                member.id(),
                member.address().toString(),
                member.state().name(),
                Long.toString(member.incarnation()),
                member.locality().zone().orElse("-"),
                share);
    }
}
