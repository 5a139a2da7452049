// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Member;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.NodeStatus;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.wire.WireLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A client of the registry: registers instances and keeps their leases, and discovers others.
 *
 * <pre>{@code
 * try (RegistryClient registry = RegistryClient.connect("127.0.0.1:21300")) {
 *     registry.register("books", "10.0.0.5:8080", "http://example.org/obras#Livro");
 *     List<Instance> instances = registry.discover("books").instances();
 * }
 * }</pre>
 *
 * <p>Methods that end in {@code Async} return at once; their stages complete on the thread
 * {@code tagbahn-client-callbacks}, where code of yours may block. The others wait, at most as long as their call's
 * deadline, and throw the call's {@link RegistryException}; an interrupted thread gets OutcomeUnknown and stays
 * interrupted. Calls are repeated at other nodes within the deadline where that can help.
 *
 * <p>Safe for use by many threads. One client for each process is enough.
 */
public final class RegistryClient implements AutoCloseable {

    private final ClientRuntime runtime;

    RegistryClient(ClientRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * A client of the nodes at these addresses, with the default configuration. Nothing is sent yet: the registry may
     * come up later.
     *
     * @param registries {@code HOST:PORT}, one or several in each text, separated by commas
     * @throws InvalidArgument where one of them is no address
     */
    public static RegistryClient connect(String... registries) {
        return connect(RegistryClientConfig.defaults().withRegistries(registries));
    }

    /** A client as configured. Nothing is sent yet: the registry may come up later. */
    public static RegistryClient connect(RegistryClientConfig config) {
        return new RegistryClient(ClientRuntime.start(config));
    }

    // ------------------------------------------------------------ registering

    /**
     * Registers an instance and keeps it registered; see {@link #register(Instance, List, RegistrationListener)}.
     *
     * @param address where callers reach it, {@code HOST:PORT}
     * @param tags IRIs, statements {@code <s> <p> <o>}, or names
     * @throws InvalidArgument where one of the texts is not what it should be, a tag with its index
     */
    public Registration register(String serviceName, String address, String... tags) {
        return register(
                Instance.of(new ServiceName(serviceName), HostPort.parse(address)),
                WireLease.tags("tags", List.of(tags)));
    }

    /** Registers an instance and keeps it registered; see {@link #register(Instance, List, RegistrationListener)}. */
    public Registration register(Instance instance, List<Tag> tags) {
        return register(instance, tags, RegistrationListener.NONE);
    }

    /**
     * Registers an instance under its name and all tags, and keeps it registered until the registration or this client is
     * closed. Where this throws, nothing is kept.
     *
     * @throws RegistryException where the registry did not take it within {@code call.writeTimeout}
     * @throws IllegalStateException where this client keeps the instance already
     */
    public Registration register(Instance instance, List<Tag> tags, RegistrationListener listener) {
        return runtime.awaitWrite(registered(instance, tags, listener));
    }

    /** Without blocking, {@link #register(Instance, List, RegistrationListener)}. */
    public CompletionStage<Registration> registerAsync(
            Instance instance, List<Tag> tags, RegistrationListener listener) {
        return runtime.callbacks().on(registered(instance, tags, listener));
    }

    /**
     * Keeps an instance registered from when the registry can be reached, which may be later; returns at once. The
     * listener, or {@link Registration#registered}, tells when it is.
     *
     * @throws IllegalStateException where this client keeps the instance already
     */
    public Registration keepRegistered(Instance instance, List<Tag> tags, RegistrationListener listener) {
        return runtime.keeper().keep(instance, tags, listener);
    }

    private CompletableFuture<Registration> registered(
            Instance instance, List<Tag> tags, RegistrationListener listener) {
        Registration registration = runtime.keeper().keep(instance, tags, listener);
        return registration.firstAnswer().handle((grant, error) -> {
            if (error != null) {
                runtime.keeper().abandon(registration.lease());
                throw Failures.of(error);
            }
            return registration;
        });
    }

    // ------------------------------------------------------------ discovery

    /**
     * The live instances of a service.
     *
     * @throws RegistryException InvalidServiceName; NoPeersAvailable where there is none
     */
    public ServicePeers discover(String serviceName) {
        return runtime.awaitRead(discovered(serviceName));
    }

    /** Without blocking, {@link #discover(String)}. */
    public CompletionStage<ServicePeers> discoverAsync(String serviceName) {
        return runtime.callbacks().on(discovered(serviceName));
    }

    private CompletableFuture<ServicePeers> discovered(String serviceName) {
        ServiceName name = new ServiceName(serviceName);
        return runtime.kept().answer(new Question.Named(name));
    }

    /**
     * The live instances under each of the tags.
     *
     * @param tags IRIs, statements, or names; the answer spells them as they are spelt here
     * @throws RegistryException InvalidArgument where one is no tag, with its index; NoPeersAvailable where no tag has a
     *     live instance
     */
    public TagPeers tagDiscover(List<String> tags) {
        return runtime.awaitRead(tagDiscovered(tags));
    }

    /** The live instances under each of the tags; see {@link #tagDiscover(List)}. */
    public TagPeers tagDiscover(String... tags) {
        return tagDiscover(List.of(tags));
    }

    /** Without blocking, {@link #tagDiscover(List)}. */
    public CompletionStage<TagPeers> tagDiscoverAsync(List<String> tags) {
        return runtime.callbacks().on(tagDiscovered(tags));
    }

    private CompletableFuture<TagPeers> tagDiscovered(List<String> tags) {
        List<String> asked = List.copyOf(tags);
        WireLease.tags("serviceTags", asked); // refuses what the registry would refuse, without asking it
        return runtime.kept().answer(new Question.Tagged(asked));
    }

    /**
     * What a pattern asks for or a kind of it, inferred by the registry and explained.
     *
     * @param pattern a concept IRI, or a statement whose terms may be {@code *}
     * @throws RegistryException InvalidArgument where the text is no pattern; finding nothing is an answer without
     *     matches
     */
    public SemanticAnswer semanticDiscover(String pattern) {
        return semanticDiscover(MatchQuery.of(TagPattern.parse(pattern)).explained(), Optional.empty());
    }

    /**
     * The live instances whose tags answer a query by meaning, inferred by the registry.
     *
     * @param near the instances nearest to this place come first
     */
    public SemanticAnswer semanticDiscover(MatchQuery query, Optional<Locality> near) {
        return runtime.awaitRead(semanticDiscovered(query, near));
    }

    /** Without blocking, {@link #semanticDiscover(MatchQuery, Optional)}. */
    public CompletionStage<SemanticAnswer> semanticDiscoverAsync(MatchQuery query, Optional<Locality> near) {
        return runtime.callbacks().on(semanticDiscovered(query, near));
    }

    private CompletableFuture<SemanticAnswer> semanticDiscovered(MatchQuery query, Optional<Locality> near) {
        return runtime.kept().answer(new Question.Meant(query, near));
    }

    // ------------------------------------------------------------ watching

    /**
     * Who is found under tags, now and whenever it changes, until the watch is closed.
     *
     * @throws InvalidArgument where one is no tag, with its index
     */
    public Watch watch(List<String> tags, WatchListener<TagPeers> listener) {
        List<String> asked = List.copyOf(tags);
        WireLease.tags("serviceTags", asked);
        return Watch.telling(
                runtime.loops(), runtime.callbacks(), new WatchedTarget.Tags(asked), Watched::tags, listener);
    }

    /** Who is found by meaning, inferred by the registry, now and whenever it changes, until the watch is closed. */
    public Watch watch(MatchQuery query, Optional<Locality> near, WatchListener<SemanticAnswer> listener) {
        return Watch.telling(
                runtime.loops(), runtime.callbacks(), new WatchedTarget.Meant(query, near), Watched::meant, listener);
    }

    /** The ontologies under which the registry infers. */
    public RegistryOntologies ontologies() {
        return new RegistryOntologies(runtime);
    }

    /** An order of instances by their nearness to a place; equally near ones in random order. */
    public Nearness near(Locality here) {
        return new Nearness(here, runtime.random());
    }

    /**
     * A page of the registered entries, service names and tags alike, in the order of their UTF-8 bytes.
     *
     * @param prefix only entries that begin so
     * @param limit most entries in the page
     * @param cursor {@link NamesPage#nextCursor} of the page before
     */
    public NamesPage serviceNames(Optional<String> prefix, OptionalInt limit, Optional<String> cursor) {
        return runtime.awaitRead(namesPage(prefix, limit, cursor));
    }

    /** Without blocking, {@link #serviceNames}. */
    public CompletionStage<NamesPage> serviceNamesAsync(
            Optional<String> prefix, OptionalInt limit, Optional<String> cursor) {
        return runtime.callbacks().on(namesPage(prefix, limit, cursor));
    }

    private CompletableFuture<NamesPage> namesPage(
            Optional<String> prefix, OptionalInt limit, Optional<String> cursor) {
        return runtime.guard().read((node, context) -> node.serviceNames(prefix, limit, cursor, context));
    }

    /**
     * All registered entries as one page, fetched in several calls, of {@code inference.callTimeout} each.
     *
     * @throws RegistryException RegistryFault where there are more than {@code inference.entriesMax}
     */
    public NamesPage allNames() {
        return runtime.awaitQuery(everyName());
    }

    /** Without blocking, {@link #allNames}. */
    public CompletionStage<NamesPage> allNamesAsync() {
        return runtime.callbacks().on(everyName());
    }

    private CompletableFuture<NamesPage> everyName() {
        InferenceConfig limits = runtime.config().inference();
        return EntryPages.fetch(
                runtime.guard(), Optional.empty(), limits.entriesMax(), new QueryDeadline(runtime.nanos(), limits));
    }

    // ------------------------------------------------------------ single calls

    /**
     * Registers once, without keeping the lease: for tools, and for those who send heartbeats themselves.
     *
     * @param request with a generation of its own, so that repetitions of the call are one registration; where it has
     *     none, the registry chooses one for each
     */
    public LeaseGrant advertise(RegisterRequest request) {
        return runtime.awaitWrite(advertised(request));
    }

    /** Without blocking, {@link #advertise}. */
    public CompletionStage<LeaseGrant> advertiseAsync(RegisterRequest request) {
        return runtime.callbacks().on(advertised(request));
    }

    private CompletableFuture<LeaseGrant> advertised(RegisterRequest request) {
        return runtime.guard().write((node, context) -> node.advertise(request, context));
    }

    /** Renews leases once. Registrations that this client keeps need none. */
    public HeartbeatResult heartbeat(List<LeaseRef> leases) {
        return runtime.awaitWrite(beaten(leases));
    }

    /** Without blocking, {@link #heartbeat}. */
    public CompletionStage<HeartbeatResult> heartbeatAsync(List<LeaseRef> leases) {
        return runtime.callbacks().on(beaten(leases));
    }

    private CompletableFuture<HeartbeatResult> beaten(List<LeaseRef> leases) {
        List<LeaseRef> sent = List.copyOf(leases);
        return runtime.guard().write((node, context) -> node.heartbeat(sent, context));
    }

    /**
     * Deregisters an instance, of whatever client; of an unknown one, done.
     *
     * @param lease its generation, or 0 for the present one
     * @throws RegistryException StaleGeneration where a newer one is registered
     */
    public void deregister(LeaseRef lease) {
        runtime.awaitWrite(deregistered(lease));
    }

    /** Without blocking, {@link #deregister}. */
    public CompletionStage<Void> deregisterAsync(LeaseRef lease) {
        return runtime.callbacks().on(deregistered(lease));
    }

    private CompletableFuture<Void> deregistered(LeaseRef lease) {
        return runtime.guard().write((node, context) -> node.deregister(lease, context));
    }

    /**
     * An operator's word on an instance: it stands over what the instance says of itself, also when that registers again.
     *
     * @throws RegistryException NotFound
     */
    public void setStatus(InstanceId instance, InstanceStatus status, Optional<String> reason) {
        runtime.awaitWrite(statusSet(instance, status, reason));
    }

    /** Without blocking, {@link #setStatus}. */
    public CompletionStage<Void> setStatusAsync(InstanceId instance, InstanceStatus status, Optional<String> reason) {
        return runtime.callbacks().on(statusSet(instance, status, reason));
    }

    private CompletableFuture<Void> statusSet(InstanceId instance, InstanceStatus status, Optional<String> reason) {
        return runtime.guard().write((node, context) -> node.setStatus(instance, status, reason, context));
    }

    // ------------------------------------------------------------ the cluster

    /** The nodes of the registry, as the node that answers sees them. */
    public List<Member> members() {
        return runtime.awaitRead(runtime.guard().read(RegistryNode::members));
    }

    /** Without blocking, {@link #members}. */
    public CompletionStage<List<Member>> membersAsync() {
        return runtime.callbacks().on(runtime.guard().read(RegistryNode::members));
    }

    /** The ids of the nodes that own a tag, first owner first. */
    public List<String> owners(String tag) {
        return runtime.awaitRead(runtime.guard().read((node, context) -> node.owners(tag, context)));
    }

    /** Without blocking, {@link #owners}. */
    public CompletionStage<List<String>> ownersAsync(String tag) {
        return runtime.callbacks().on(runtime.guard().read((node, context) -> node.owners(tag, context)));
    }

    /** What the node that answers says of itself. */
    public NodeStatus status() {
        return runtime.awaitRead(runtime.guard().read(RegistryNode::status));
    }

    /** Without blocking, {@link #status}. */
    public CompletionStage<NodeStatus> statusAsync() {
        return runtime.callbacks().on(runtime.guard().read(RegistryNode::status));
    }

    /** What this client has done so far: attempts, repetitions, rejections, kept answers. */
    public CallCounters counters() {
        return runtime.counters();
    }

    // ------------------------------------------------------------ end

    /**
     * Closes this client when the JVM is told to end (SIGTERM, SIGINT, {@code System.exit}), so that its instances are
     * deregistered first. Shutdown hooks run at the same time as each other: one that also stops the service's own server
     * should call {@link #close} before it does, instead.
     */
    public RegistryClient closeOnShutdown() {
        runtime.closeOnShutdown();
        return this;
    }

    /**
     * Has the service end in the right order when the JVM is told to end: deregisters its instances, waiting no longer than
     * {@code lease.closeTimeout}; waits, while the service still serves those who have not heard of it; stops the service;
     * closes this client. No other shutdown hook should stop the service: hooks run at the same time.
     *
     * @param drain how long callers have to turn to others
     * @param stopService closes the service's ports and ends its threads
     */
    public RegistryClient closeOnShutdown(Duration drain, Runnable stopService) {
        runtime.closeOnShutdown(drain, stopService);
        return this;
    }

    /**
     * Deregisters what this client has registered, waiting no longer than {@code lease.closeTimeout}, and only then
     * closes the connections. Calls that are under way fail. May be called again.
     */
    @Override
    public void close() {
        runtime.close();
    }

    @Override
    public String toString() {
        return "RegistryClient" + runtime.config().registries();
    }

    ClientRuntime runtime() {
        return runtime;
    }
}
