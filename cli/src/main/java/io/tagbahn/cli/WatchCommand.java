// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonObject;
import io.tagbahn.cli.Discovery.Found;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.SemanticAnswer;
import io.tagbahn.client.Watch;
import io.tagbahn.client.WatchListener;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.TagPeers;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.semantics.MatchQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn watch}. */
@Command(
        name = "watch",
        description = "Prints who is found now, and again whenever that changes, until interrupted.",
        footer = {"", "Example:", "  tagbahn watch --concept :Obra --prefix =http://example.org/obras#"})
final class WatchCommand implements Callable<Integer> {

    private static final Duration LOOK = Duration.ofMillis(50);

    /** Answers that were not printed yet: one of each watch is on its way at a time. */
    private static final int WAITING_MAX = 1_000;

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Mixin
    private TermOptions termOptions = new TermOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--tag", paramLabel = "TAG", description = "A tag or name as it is spelt. Repeatable.")
    private List<String> tags = new ArrayList<>();

    @Option(names = "--concept", paramLabel = "IRI", description = "A concept, as in discover.")
    private @Nullable String concept;

    @Option(names = "--statement", paramLabel = "S", description = "A statement, as in discover.")
    private @Nullable String statement;

    @Option(names = "--mode", paramLabel = "MODE", description = "specialise (default), cover or any, as in discover.")
    private DiscoverCommand.Mode mode = DiscoverCommand.Mode.SPECIALISE;

    @Option(names = "--explain", description = "Tell the axioms that led to each tag.")
    private boolean explain;

    @Option(names = "--changes", paramLabel = "N", description = "End after so many answers. Default: never.")
    private @Nullable Long changes;

    WatchCommand(Environment environment) {
        this.environment = environment;
    }

    /** Something to print, or why there is nothing at the moment. */
    private record Event(String target, Optional<Discovery> found, Optional<RegistryException> error) {}

    @Override
    public Integer call() {
        long left = Optional.ofNullable(changes).orElse(Long.MAX_VALUE);
        if (left < 1) {
            throw new InvalidArgument("--changes", left + " is not within 1.." + Long.MAX_VALUE);
        }
        Terms terms = termOptions.terms();
        List<String> spelt = tags.stream()
                .map(tag -> TagArgument.parse(tag, terms).spelling())
                .distinct()
                .toList();
        List<MatchQuery> queries = queries(terms);
        if (spelt.isEmpty() && queries.isEmpty()) {
            throw new UsageError("nothing to watch: give --tag, --concept or --statement");
        }
        environment.stop().heed();
        BlockingQueue<Event> events = new LinkedBlockingQueue<>(WAITING_MAX);
        try (RegistryClient client = registry.connect(environment)) {
            client.status(); // an address where nobody answers is told at once
            List<Watch> watches = watches(client, spelt, queries, events);
            try {
                print(events, terms, left);
            } finally {
                watches.forEach(Watch::close);
            }
        }
        return ExitCode.DONE;
    }

    private List<MatchQuery> queries(Terms terms) {
        List<MatchQuery> queries = new ArrayList<>();
        if (concept != null) {
            queries.add(query("--concept", terms.concept(concept)));
        }
        if (statement != null) {
            queries.add(query("--statement", terms.statement(statement)));
        }
        return queries;
    }

    private MatchQuery query(String option, String pattern) {
        try {
            MatchQuery query = MatchQuery.of(TagPattern.parse(pattern)).inMode(mode.mode());
            return explain ? query.explained() : query;
        } catch (InvalidArgument e) {
            throw e.at(option);
        }
    }

    private static List<Watch> watches(
            RegistryClient client, List<String> spelt, List<MatchQuery> queries, BlockingQueue<Event> events) {
        List<Watch> watches = new ArrayList<>();
        if (!spelt.isEmpty()) {
            watches.add(client.watch(spelt, new Queued<TagPeers>("tags", events) {
                @Override
                Discovery found(TagPeers peers) {
                    return new Discovery(
                            spelt.stream()
                                    .filter(peers.instances()::containsKey)
                                    .map(tag ->
                                            Found.exactly(tag, peers.instances().getOrDefault(tag, List.of())))
                                    .toList(),
                            peers.degraded(),
                            List.of());
                }
            }));
        }
        for (MatchQuery query : queries) {
            watches.add(client.watch(
                    query,
                    Optional.empty(),
                    new Queued<SemanticAnswer>(query.pattern().spelling(), events) {
                        @Override
                        Discovery found(SemanticAnswer answer) {
                            return Inferred.of(answer, query);
                        }
                    }));
        }
        return watches;
    }

    /** Hands answers over to the thread that prints. */
    private abstract static class Queued<A> implements WatchListener<A> {
        private final String target;
        private final BlockingQueue<Event> events;

        Queued(String target, BlockingQueue<Event> events) {
            this.target = target;
            this.events = events;
        }

        abstract Discovery found(A answer);

        @Override
        public void changed(A answer) {
            put(new Event(target, Optional.of(found(answer)), Optional.empty()));
        }

        @Override
        public void failed(RegistryException error) {
            put(new Event(target, Optional.empty(), Optional.of(error)));
        }

        private void put(Event event) {
            try {
                events.put(event); // a reader that is slow holds up nobody else: newer answers replace what waits
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void print(BlockingQueue<Event> events, Terms terms, long most) {
        long left = most;
        while (left > 0 && !environment.stop().isRaised()) {
            Optional<Event> event = next(events);
            if (event.isEmpty()) {
                continue;
            }
            if (event.get().error().isPresent()) {
                RegistryException error = event.get().error().get();
                if (error instanceof InvalidArgument || error instanceof Unauthorized) {
                    throw error; // nothing would come of waiting
                }
                environment.say(Failure.of(error).message());
                continue;
            }
            Discovery found = event.get().found().orElse(Discovery.NOTHING);
            if (json.isWanted()) {
                JsonObject document = new JsonObject();
                document.addProperty("target", event.get().target());
                JsonObject answer = found.json();
                answer.entrySet().forEach(field -> document.add(field.getKey(), field.getValue()));
                environment.out().json(document);
            } else {
                environment
                        .out()
                        .line("-- " + terms.shortened(event.get().target()) + ": "
                                + found.matches().size() + " found");
                found.printMatches(environment, terms);
                found.printOddities(environment, terms);
            }
            environment.out().flush();
            left--;
        }
    }

    private static Optional<Event> next(BlockingQueue<Event> events) {
        try {
            return Optional.ofNullable(events.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
