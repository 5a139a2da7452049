// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.Registration;
import io.tagbahn.client.RegistrationListener;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.Locality;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagWarning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn register}. */
@Command(
        name = "register",
        description = "Registers an instance under its name and all tags, and keeps it registered until interrupted"
                + " (SIGINT, SIGTERM), then deregisters it.",
        footer = {
            "",
            "Exits with 2 where another process registers the same id: that one has taken its place.",
            "",
            "Example:",
            "  tagbahn register --name books --address 10.0.0.5:8080 \\",
            "      --tag ':Livro :temUmGenero :Terror' --prefix =http://example.org/obras#"
        })
final class RegisterCommand implements Callable<Integer> {

    private static final Duration LEASE_MIN = Duration.ofSeconds(1);
    private static final Duration LEASE_MAX = Duration.ofHours(24);

    /** Tags in one call; with the longest tags allowed, some calls are smaller, see {@link #PART_CHARS_MAX}. */
    private static final int PART_TAGS_MAX = 10_000;

    /** A frame holds 16384000 bytes, and a char takes at most three. */
    private static final int PART_CHARS_MAX = 4_000_000;

    /** Whoever stops the command does not wait longer, whatever the registry does. */
    private static final Duration DEREGISTER_MAX = Duration.ofSeconds(4);

    private final Environment environment;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Mixin
    private TermOptions termOptions = new TermOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--name", required = true, paramLabel = "N", description = "The service's name.")
    private String name = "";

    @Option(
            names = "--address",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Where callers reach the instance.")
    private @Nullable HostPort address;

    @Option(names = "--id", paramLabel = "ID", description = "Unique in the registry. Default: N/HOST:PORT.")
    private @Nullable String id;

    @Option(names = "--tag", paramLabel = "TAG", description = "An IRI, a statement, or a name. Repeatable.")
    private List<String> tags = new ArrayList<>();

    @Option(
            names = "--tags-file",
            paramLabel = "FILE",
            description = "Further tags, one a line, or N-Triples; - for standard input.")
    private @Nullable String tagsFile;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            description = "How long the registration lives when this process no longer renews it; 1s to 24h."
                    + " Default: 30s.")
    private Duration ttl = Duration.ofSeconds(30);

    @Option(names = "--zone", paramLabel = "Z", description = "The zone that the instance runs in.")
    private @Nullable String zone;

    @Option(names = "--node", paramLabel = "N", description = "The machine that the instance runs on.")
    private @Nullable String node;

    @Option(names = "--region", paramLabel = "R", description = "The region that the zone belongs to.")
    private @Nullable String region;

    @Option(names = "--weight", paramLabel = "W", description = "Its share of the traffic, 0..65535. Default: 100.")
    private int weight = Instance.WEIGHT_DEFAULT;

    @Option(names = "--meta", paramLabel = "K=V", description = "Free text for callers, by key. Repeatable.")
    private List<String> metadata = new ArrayList<>();

    @Option(
            names = "--once",
            description = "Leave after registering; the registration lapses after --ttl unless someone renews it.")
    private boolean once;

    RegisterCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        if (ttl.compareTo(LEASE_MIN) < 0 || ttl.compareTo(LEASE_MAX) > 0) {
            throw new InvalidArgument("--ttl", "not within 1s..24h");
        }
        Instance instance = instance();
        List<Tag> all = allTags();
        RegistryClientConfig config = registry.apply(environment);
        config = config.withLease(config.lease().withDuration(ttl));
        try (RegistryClient client = RegistryClient.connect(config)) {
            return once ? registerOnce(client, instance, all) : keepRegistered(client, instance, all);
        }
    }

    private Instance instance() {
        HostPort reached = Optional.ofNullable(address)
                .orElseThrow(() -> new InvalidArgument("--address", "missing: give HOST:PORT"));
        Instance instance = Instance.of(new ServiceName(name), reached)
                .withLocality(
                        new Locality(Optional.ofNullable(node), Optional.ofNullable(zone), Optional.ofNullable(region)))
                .withWeight(weight)
                .withMetadata(metadata());
        return id == null ? instance : instance.withId(new InstanceId(id));
    }

    private Map<String, String> metadata() {
        Map<String, String> byKey = new HashMap<>();
        for (String entry : metadata) {
            int equals = entry.indexOf('=');
            if (equals < 1) {
                throw new InvalidArgument("--meta", "'" + entry + "' is not KEY=VALUE");
            }
            byKey.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
        return byKey;
    }

    private List<Tag> allTags() {
        Terms terms = termOptions.terms();
        Set<Tag> all = new LinkedHashSet<>();
        tags.forEach(text -> all.add(TagArgument.parse(text, terms)));
        if (tagsFile != null) {
            all.addAll(TagsFile.read(tagsFile, environment.in(), terms));
        }
        return List.copyOf(all);
    }

    private int registerOnce(RegistryClient client, Instance instance, List<Tag> all) {
        long start = environment.nanos().getAsLong();
        List<List<Tag>> parts = parts(all);
        LeaseGrant grant = client.advertise(part(instance, parts.get(0), RegisterMode.REPLACE, OptionalLong.empty()));
        List<TagWarning> warnings = new ArrayList<>(grant.warnings());
        OptionalLong generation = OptionalLong.of(grant.generation());
        for (List<Tag> part : parts.subList(1, parts.size())) {
            warnings.addAll(client.advertise(part(instance, part, RegisterMode.ADD, generation))
                    .warnings());
        }
        print(grant, all.size(), start, warnings);
        return ExitCode.DONE;
    }

    private RegisterRequest part(Instance instance, List<Tag> part, RegisterMode mode, OptionalLong generation) {
        return new RegisterRequest(instance, part, Optional.of(ttl), mode, generation);
    }

    /** The tags in parts that fit into a call; one part at least. */
    private static List<List<Tag>> parts(List<Tag> all) {
        List<List<Tag>> parts = new ArrayList<>();
        List<Tag> part = new ArrayList<>();
        long chars = 0;
        for (Tag tag : all) {
            int length = tag.spelling().length();
            if (part.size() == PART_TAGS_MAX || chars + length > PART_CHARS_MAX) {
                parts.add(part);
                part = new ArrayList<>();
                chars = 0;
            }
            part.add(tag);
            chars += length;
        }
        parts.add(part);
        return parts;
    }

    private int keepRegistered(RegistryClient client, Instance instance, List<Tag> all) {
        environment.stop().heed();
        long start = environment.nanos().getAsLong();
        Fate fate = new Fate(environment);
        CompletableFuture<Registration> registering =
                client.registerAsync(instance, all, fate).toCompletableFuture();
        environment.stop().awaitOr(registering);
        if (environment.stop().isRaised() && !registering.isDone()) {
            return ExitCode.DONE; // closing the client keeps out what may still be on its way
        }
        Registration registration = joined(registering);
        LeaseGrant grant = registration.grant().orElseThrow();
        print(grant, all.size(), start, grant.warnings());
        environment.say("registered; interrupt to deregister (Ctrl-C)");
        environment.stop().awaitOr(fate.ended);
        if (!environment.stop().isRaised()) {
            throw joined(fate.ended);
        }
        return deregister(registration);
    }

    private int deregister(Registration registration) {
        try {
            registration
                    .deregisterAsync()
                    .toCompletableFuture()
                    .orTimeout(DEREGISTER_MAX.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            environment.say("the registry could not be told; the lease of " + registration.id()
                    + " lapses by itself within " + ttl.toSeconds() + " s");
            return ExitCode.UNAVAILABLE;
        }
        environment.say("deregistered " + registration.id());
        return ExitCode.DONE;
    }

    private void print(LeaseGrant grant, int count, long startNanos, List<TagWarning> warnings) {
        long millis = TimeUnit.NANOSECONDS.toMillis(environment.nanos().getAsLong() - startNanos);
        warnings.forEach(warning -> environment.say("warning: " + warning.tag() + ": " + warning.message()));
        if (json.isWanted()) {
            environment.out().json(JsonForm.of(grant, count, millis));
        } else {
            environment
                    .out()
                    .line("registered " + grant.instanceId() + " with " + count
                            + (count == 1 ? " tag in " : " tags in ") + millis
                            + " ms: generation " + grant.generation() + ", lease "
                            + grant.lease().toMillis() + " ms, "
                            + grant.copiesMade() + " of " + grant.copiesWanted() + " copies");
        }
        environment.out().flush();
    }

    private static <T> T joined(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RegistryException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** How the registration fares: told to people, and its end, if it comes by itself. */
    private static final class Fate implements RegistrationListener {

        private final Environment environment;
        private final CompletableFuture<RegistryException> ended = new CompletableFuture<>();

        Fate(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void onLost(Registration registration) {
            environment.say("lost: the registry no longer knows " + registration.id() + "; registering it again ...");
        }

        @Override
        public void onReregistered(Registration registration) {
            environment.say("registered again: " + registration.id());
        }

        @Override
        public void onSuperseded(Registration registration) {
            ended.complete(new StaleGeneration(
                    "superseded: another process has registered " + registration.id() + " and taken its place", 0));
        }

        @Override
        public void onRefused(Registration registration, RegistryException reason) {
            ended.complete(reason);
        }
    }
}
