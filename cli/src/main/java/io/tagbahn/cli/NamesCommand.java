// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NamesPage;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn names}. */
@Command(
        name = "names",
        description = "Prints all registered entries, service names and tags alike, in the order of their UTF-8 bytes.",
        footer = {"", "Example:", "  tagbahn names --prefix-filter http://example.org/ --limit 20"})
final class NamesCommand implements Callable<Integer> {

    /** Entries asked for in one call: they are printed before the next ones are fetched. */
    private static final int PAGE_ENTRIES = 10_000;

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--prefix-filter", paramLabel = "P", description = "Only entries that begin so.")
    private @Nullable String prefixFilter;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many entries. Default: all.")
    private @Nullable Long limit;

    NamesCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        long left = Optional.ofNullable(limit).orElse(Long.MAX_VALUE);
        if (left < 1) {
            throw new InvalidArgument("--limit", left + " is not within 1.." + Long.MAX_VALUE);
        }
        long printed;
        try (RegistryClient client = registry.connect(environment)) {
            // Nothing is printed before the registry has answered: a failure leaves standard output empty.
            NamesPage first = page(client, left, Optional.empty());
            if (json.isWanted()) {
                Output.JsonStrings strings = environment.out().jsonStrings();
                printed = print(client, first, left, strings::add);
                strings.end();
            } else {
                printed = print(client, first, left, environment.out()::line);
            }
        }
        return printed == 0 ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }

    private long print(RegistryClient client, NamesPage first, long limit, Consumer<String> printer) {
        NamesPage page = first;
        long printed = 0;
        boolean degraded = false;
        while (true) {
            page.names().forEach(printer);
            printed += page.names().size();
            degraded |= page.degraded();
            if (page.nextCursor().isEmpty() || printed >= limit) {
                break;
            }
            // Whoever reads gets this page while the next one is fetched, and a reader who has left is noticed.
            environment.out().flush();
            page = page(client, limit - printed, page.nextCursor());
        }
        if (degraded) {
            environment.say("some nodes did not answer: the list may be incomplete");
        }
        return printed;
    }

    private NamesPage page(RegistryClient client, long left, Optional<String> cursor) {
        int size = (int) Math.min(left, PAGE_ENTRIES);
        return client.serviceNames(Optional.ofNullable(prefixFilter), OptionalInt.of(size), cursor);
    }
}
