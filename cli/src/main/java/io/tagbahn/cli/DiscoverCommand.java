// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.cli.Discovery.Found;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.SemanticIndex;
import io.tagbahn.client.ServicePeers;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.Ontology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn discover}. */
@Command(
        name = "discover",
        description = "Finds hosts: by tags and names as they are spelt, by concepts and statements as they are meant."
                + " Where several are given, what each finds is listed in this order.",
        footer = {
            "",
            "Exits with 1 where nothing is found.",
            "",
            "Example:",
            "  tagbahn discover --statement ':Obra :temUmGenero :Terror' --explain \\",
            "      --prefix =http://example.org/obras#"
        })
final class DiscoverCommand implements Callable<Integer> {

    /** Where inference takes place. */
    enum Inference {
        REGISTRY,
        CLIENT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Modes as they are typed. */
    enum Mode {
        SPECIALISE(MatchMode.SPECIALISE),
        COVER(MatchMode.COVER),
        ANY(MatchMode.ANY);

        private final MatchMode mode;

        Mode(MatchMode mode) {
            this.mode = mode;
        }

        MatchMode mode() {
            return mode;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Mixin
    private TermOptions termOptions = new TermOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--tag", paramLabel = "TAG", description = "A tag as it is spelt. Repeatable.")
    private List<String> tags = new ArrayList<>();

    @Option(names = "--name", paramLabel = "N", description = "A service's name.")
    private @Nullable String name;

    @Option(
            names = "--concept",
            paramLabel = "IRI",
            description = "A concept: finds tags that advertise it or, depending on --mode, narrower or broader ones.")
    private @Nullable String concept;

    @Option(
            names = "--statement",
            paramLabel = "S",
            description = "A statement: finds statements that are narrower or broader in each term. * stands for any.")
    private @Nullable String statement;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "specialise: what was asked for, or a kind of it (default). cover: what covers it. any: both,"
                    + " best first.")
    private Mode mode = Mode.SPECIALISE;

    @Option(names = "--subjects", description = "With --concept, also statements whose subject matches.")
    private boolean subjects;

    @Option(
            names = "--infer",
            paramLabel = "WHERE",
            description = "registry: the registry infers, with its own ontologies (default). client: fetch all tags and"
                    + " infer here, with the ontologies given, otherwise those of the registry.")
    private @Nullable Inference inference;

    @Option(
            names = "--ontology",
            paramLabel = "FILE",
            description =
                    "An ontology to infer with here (--infer client): .ttl .nt .rdf .owl .xml .jsonld. Repeatable.")
    private List<Path> ontologies = new ArrayList<>();

    @Option(names = "--explain", description = "Tell the axioms that led to each tag.")
    private boolean explain;

    @Option(
            names = "--near",
            paramLabel = "PLACE",
            description = "Nearest instances first: zone=Z, node=N, region=R, or several with commas between.")
    private @Nullable String near;

    DiscoverCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        if (inference == Inference.REGISTRY && !ontologies.isEmpty()) {
            throw new UsageError("the registry infers with its own ontologies: put this one there"
                    + " ('tagbahn ontology put'), or use --infer client");
        }
        Terms terms = termOptions.terms();
        List<MatchQuery> queries = queries(terms);
        if (tags.isEmpty() && name == null && queries.isEmpty()) {
            throw new UsageError("nothing asked for: give --tag, --name, --concept or --statement");
        }
        Optional<Locality> here = Optional.ofNullable(near).map(DiscoverCommand::place);
        // Before anything is asked: a document that cannot be read must not look like an empty answer.
        List<Ontology> documents = Ontologies.read(ontologies);
        Discovery found;
        try (RegistryClient client = registry.connect(environment)) {
            found = byName(client).and(byTags(client, terms));
            if (!queries.isEmpty()) {
                found = found.and(byMeaning(client, queries, documents, here));
            }
            found = ordered(found, client, here);
        }
        if (json.isWanted()) {
            environment.out().json(found.json());
        } else {
            found.print(environment, terms);
        }
        return found.exitCode();
    }

    private Discovery byMeaning(
            RegistryClient client, List<MatchQuery> queries, List<Ontology> documents, Optional<Locality> here) {
        Discovery found = Discovery.NOTHING;
        if (inference == Inference.CLIENT || !documents.isEmpty()) {
            SemanticIndex index =
                    documents.isEmpty() ? SemanticIndex.over(client) : SemanticIndex.over(client, documents);
            for (MatchQuery query : queries) {
                found = found.and(Inferred.of(index, query));
            }
        } else {
            for (MatchQuery query : queries) {
                found = found.and(Inferred.of(client, query, here));
            }
        }
        return found;
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
            MatchQuery query =
                    MatchQuery.of(TagPattern.parse(pattern)).inMode(mode.mode).limitedTo(MatchQuery.LIMIT_MAX);
            query = explain ? query.explained() : query;
            return subjects ? query.withSubjects() : query;
        } catch (InvalidArgument e) {
            throw e.at(option);
        }
    }

    private Discovery byName(RegistryClient client) {
        if (name == null) {
            return Discovery.NOTHING;
        }
        try {
            ServicePeers peers = client.discover(name);
            return new Discovery(List.of(Found.exactly(name, peers.instances())), peers.degraded(), List.of());
        } catch (NoPeersAvailable e) {
            return Discovery.NOTHING;
        }
    }

    private Discovery byTags(RegistryClient client, Terms terms) {
        if (tags.isEmpty()) {
            return Discovery.NOTHING;
        }
        List<String> spelt = tags.stream()
                .map(tag -> TagArgument.parse(tag, terms).spelling())
                .distinct()
                .toList();
        try {
            TagPeers peers = client.tagDiscover(spelt);
            List<Found> found = spelt.stream()
                    .filter(peers.instances()::containsKey)
                    .map(tag -> Found.exactly(tag, peers.instances().getOrDefault(tag, List.of())))
                    .toList();
            return new Discovery(found, peers.degraded(), List.of());
        } catch (NoPeersAvailable e) {
            return Discovery.NOTHING;
        }
    }

    private static Discovery ordered(Discovery found, RegistryClient client, Optional<Locality> here) {
        List<Found> matches = found.matches().stream()
                .map(each -> new Found(
                        each.match(),
                        here.map(place -> client.near(place).order(each.instances()))
                                .orElseGet(() -> byId(each.instances()))))
                .toList();
        return new Discovery(matches, found.degraded(), found.diagnostics());
    }

    private static List<Instance> byId(List<Instance> instances) {
        return instances.stream().sorted(Comparator.comparing(Instance::id)).toList();
    }

    private static Locality place(String text) {
        Map<String, String> parts = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String key = equals < 0 ? part : part.substring(0, equals);
            if (equals < 0 || !List.of("zone", "node", "region").contains(key)) {
                throw new InvalidArgument("--near", "'" + part + "' is not zone=Z, node=N or region=R");
            }
            parts.put(key, part.substring(equals + 1));
        }
        try {
            return new Locality(
                    Optional.ofNullable(parts.get("node")),
                    Optional.ofNullable(parts.get("zone")),
                    Optional.ofNullable(parts.get("region")));
        } catch (InvalidArgument e) {
            throw e.within("--near");
        }
    }
}
