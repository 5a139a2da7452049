// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.tagbahn.client.OntologyFile;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryOntologies;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.OntologyDocument;
import io.tagbahn.model.OntologyEffect;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.model.OntologyReceipt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tagbahn ontology}: the ontologies under which the registry infers. */
@Command(
        name = "ontology",
        description = "Puts, gets, lists and removes the ontologies under which the registry infers.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example:", "  tagbahn ontology put obras.ttl"})
final class OntologyCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        throw new UsageError("which? put FILE, get IRI, list, or remove IRI ('tagbahn ontology --help')");
    }

    /** What the subcommands have in common. */
    abstract static class Part implements Callable<Integer> {

        private final Environment environment;

        @Mixin
        private RegistryOptions registry = new RegistryOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        Part(Environment environment) {
            this.environment = environment;
        }

        @Override
        public Integer call() {
            try (RegistryClient client = registry.connect(environment)) {
                RegistryOntologies ontologies = client.ontologies();
                return run(registry.timeout().map(ontologies::withTimeout).orElse(ontologies));
            }
        }

        abstract int run(RegistryOntologies ontologies);

        Environment environment() {
            return environment;
        }

        boolean wantsJson() {
            return json.isWanted();
        }

        static Iri iri(String text) {
            String bare = text.startsWith("<") && text.endsWith(">") ? text.substring(1, text.length() - 1) : text;
            try {
                return new Iri(bare);
            } catch (InvalidArgument e) {
                throw e.at("IRI");
            }
        }
    }

    /** {@code tagbahn ontology put}. */
    @Command(
            name = "put",
            description = "Puts a document into force on all nodes, in place of what there was under its IRI.",
            footer = {"", "Example:", "  tagbahn ontology put obras.ttl --dry-run"})
    static final class Put extends Part {

        @Parameters(paramLabel = "FILE", description = "A document: .ttl .nt .rdf .owl .xml .jsonld .json.")
        private Path file = Path.of("");

        @Option(
                names = "--iri",
                paramLabel = "I",
                description =
                        "Under which it is put, and the base of its relative IRIs. Default: what it calls itself.")
        private @Nullable String iri;

        @Option(names = "--dry-run", description = "Say what would change, and change nothing.")
        private boolean dryRun;

        Put(Environment environment) {
            super(environment);
        }

        @Override
        int run(RegistryOntologies ontologies) {
            byte[] document = Ontologies.bytes(file);
            Iri under = Optional.ofNullable(iri).map(Part::iri).orElseGet(() -> Ontologies.nameOf(file, document));
            OntologyFile put = new OntologyFile(under, Ontologies.format(file), document);
            OntologyReceipt receipt = dryRun ? ontologies.dryRun(put) : ontologies.put(put);
            if (wantsJson()) {
                environment().out().json(json(receipt));
            } else {
                print(receipt);
            }
            return ExitCode.DONE;
        }

        private void print(OntologyReceipt receipt) {
            OntologyInfo info = receipt.info();
            Output out = environment().out();
            out.line(info.iri().value() + (dryRun ? ", not put: " : ", in force: ") + info.triples() + " triples, "
                    + info.concepts() + " concepts, " + info.properties() + " properties");
            receipt.effect().ifPresent(effect -> {
                out.line(effect.tagsGaining() + " registered tags would answer for more, " + effect.tagsLosing()
                        + " for less");
                effect.examples().forEach(example -> out.line("  " + example));
            });
            receipt.warnings().forEach(environment()::say);
        }
    }

    /** {@code tagbahn ontology get}. */
    @Command(
            name = "get",
            description = "Prints a document as it was put.",
            footer = {"", "Example:", "  tagbahn ontology get http://example.org/obras"})
    static final class Get extends Part {

        @Parameters(paramLabel = "IRI", description = "Under which it was put.")
        private String iri = "";

        Get(Environment environment) {
            super(environment);
        }

        @Override
        int run(RegistryOntologies ontologies) {
            OntologyDocument document = ontologies.get(iri(iri));
            if (wantsJson()) {
                JsonObject json = new JsonObject();
                json.add("info", json(document.info()));
                addDocument(json, document.document());
                json.addProperty("mediaType", document.mediaType());
                environment().out().json(json);
            } else {
                environment().out().bytes(document.document());
            }
            return ExitCode.DONE;
        }

        /** As text where it is UTF-8; RDF/XML may be in another character set, which only its bytes preserve. */
        private static void addDocument(JsonObject json, byte[] document) {
            try {
                json.addProperty(
                        "document",
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(document))
                                .toString());
            } catch (CharacterCodingException e) {
                json.addProperty("documentBase64", Base64.getEncoder().encodeToString(document));
            }
        }
    }

    /** {@code tagbahn ontology list}. */
    @Command(
            name = "list",
            description = "Prints what is in force.",
            footer = {"", "Example:", "  tagbahn ontology list --json"})
    static final class Listed extends Part {

        Listed(Environment environment) {
            super(environment);
        }

        @Override
        int run(RegistryOntologies ontologies) {
            List<OntologyInfo> all = ontologies.list();
            if (wantsJson()) {
                JsonArray json = new JsonArray();
                all.forEach(info -> json.add(json(info)));
                environment().out().json(json);
            } else {
                List<List<String>> rows = new ArrayList<>();
                for (OntologyInfo info : all) {
                    rows.add(List.of(
                            info.iri().value(),
                            "version " + info.version(),
                            info.triples() + " triples",
                            info.concepts() + " concepts",
                            info.properties() + " properties"));
                }
                Table.print(environment().out(), rows);
            }
            return all.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
        }
    }

    /** {@code tagbahn ontology remove}. */
    @Command(
            name = "remove",
            description = "Takes a document out of force on all nodes.",
            footer = {"", "Example:", "  tagbahn ontology remove http://example.org/obras"})
    static final class Remove extends Part {

        @Parameters(paramLabel = "IRI", description = "Under which it was put.")
        private String iri = "";

        Remove(Environment environment) {
            super(environment);
        }

        @Override
        int run(RegistryOntologies ontologies) {
            Iri removed = iri(iri);
            ontologies.remove(removed);
            if (wantsJson()) {
                JsonObject json = new JsonObject();
                json.addProperty("iri", removed.value());
                json.addProperty("removed", true);
                environment().out().json(json);
            } else {
                environment().out().line(removed.value() + ", removed");
            }
            return ExitCode.DONE;
        }
    }

    static JsonObject json(OntologyInfo info) {
        JsonObject json = new JsonObject();
        json.addProperty("iri", info.iri().value());
        json.addProperty("contentHash", info.contentHash());
        json.addProperty("version", info.version());
        json.addProperty("triples", info.triples());
        json.addProperty("concepts", info.concepts());
        json.addProperty("properties", info.properties());
        return json;
    }

    static JsonObject json(OntologyReceipt receipt) {
        JsonObject json = new JsonObject();
        json.add("info", json(receipt.info()));
        json.add("warnings", JsonForm.strings(receipt.warnings()));
        json.add(
                "effect",
                receipt.effect().<JsonElement>map(OntologyCommand::json).orElse(JsonNull.INSTANCE));
        return json;
    }

    private static JsonObject json(OntologyEffect effect) {
        JsonObject json = new JsonObject();
        json.addProperty("tagsGaining", effect.tagsGaining());
        json.addProperty("tagsLosing", effect.tagsLosing());
        json.add("examples", JsonForm.strings(effect.examples()));
        return json;
    }
}
