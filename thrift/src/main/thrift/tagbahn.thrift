/**
 * Tagbahn: service discovery by meaning.
 *
 * The public API of a registry node. Framed Thrift, binary or compact protocol, default port 21300.
 * Field ids, names and method names are a contract: they never change meaning and are never reused.
 * Optional fields and methods may be added.
 *
 * Limits, unless a node is configured otherwise: a frame, in or out, 16384000 bytes (pages end early rather
 * than pass it); a tag 8192 bytes of UTF-8, an instance id 512, a service name 255, metadata 65536 in all;
 * a lease 1 s to 24 h (clamped). Past a limit: InvalidArgument, naming it.
 *
 * Service names: no control characters, no blanks at either end, none of <>"{}|\^`, no ':' in front;
 * case matters.
 *
 * The types and methods marked (H) keep the shapes of Uber's Hyperbahn IDL, those marked (T) the shapes
 * of the thesis that added tags to it, so that a client generated from either IDL can call this service.
 */
namespace java io.tagbahn.thrift
namespace py tagbahn
namespace js tagbahn
namespace cpp tagbahn
namespace go tagbahn

// ---------------------------------------------------------------- context of a call

enum Criticality {
  SHEDDABLE = 0
  NORMAL = 1
  CRITICAL = 2
}

/** Travels with every call. A node passes the remaining deadline on to the nodes that it asks. */
struct CallContext {
  /**
   * Milliseconds that the caller still waits; work past it is dropped. Default 1000 for reads, 10000 for
   * writes, 60000 for putOntology, waitMillis + 5000 where the call waits for a change.
   */
  1: optional i64 deadlineMillis
  2: optional Criticality criticality
  /** Name of the calling service, for quotas and metrics. */
  3: optional string caller
  /** W3C trace context, the value of a `traceparent` header. */
  4: optional string traceParent
  5: optional string token
  /** 0 for the first try, 1 for the first retry, and so on. */
  6: optional i32 attempt
}

// ---------------------------------------------------------------- errors

/** (H) No live instance for the name, or for any of the tags. */
exception NoPeersAvailable {
  1: required string message
  2: required string serviceName
}

/** (H) The name is empty or not allowed. */
exception InvalidServiceName {
  1: required string message
  2: required string serviceName
}

exception InvalidArgument {
  /** The field at fault, as a path: `serviceTags[3]`. */
  1: required string field
  2: required string message
}

/** The node can't answer truthfully yet (it is starting, or being filled). Never an empty success instead. */
exception NotReady {
  1: required string message
  2: optional i64 retryAfterMillis
}

/** What a rejected caller should do. */
enum Signal {
  /** This node is busy, another may not be. */
  TRY_ELSEWHERE = 1
  /** The registry is busy: wait `retryAfterMillis`. */
  RETRY_AFTER = 2
  /** Retrying will not help. */
  STOP = 3
}

exception Overloaded {
  1: required Signal signal
  2: optional i64 retryAfterMillis
  3: optional string message
}

exception NotFound {
  1: required string message
}

/** The registry knows a newer registration of the instance, or a newer deregistration. Nothing was changed. */
exception StaleGeneration {
  1: required string message
  /** The newest generation known. */
  2: required i64 current
}

exception Unauthorized {
  1: required string message
}

// ---------------------------------------------------------------- instances and leases

struct Locality {
  1: optional string node
  2: optional string zone
  3: optional string region
}

enum InstanceStatus {
  UP = 1
  /** Finishes what it has, takes nothing new: not handed out. */
  DRAINING = 2
  /** Taken out by an operator: not handed out, whatever its heartbeats say. */
  OUT_OF_SERVICE = 3
}

/** One running copy of a service. */
struct Instance {
  /** Unique in the registry. Absent: the registry uses `serviceName/host:port`. */
  1: optional string id
  2: required string serviceName
  /** IPv4, IPv6 or a host name; what callers connect to. */
  3: required string host
  /** 1..65535. */
  4: required i32 port
  5: optional map<string, i32> namedPorts
  6: optional Locality locality
  /** 0..65535, default 100; one of 0 is handed out, and takes no traffic from clients that balance. */
  7: optional i32 weight
  8: optional map<string, string> metadata
  9: optional InstanceStatus status
}

enum RegisterMode {
  /** The instance and its tags are from now on as given. */
  REPLACE = 0
  /**
   * The tags given are added (a long list may be sent in parts). ADD and REMOVE leave the instance's other
   * fields alone, renew its lease, and throw NotFound where it isn't registered.
   */
  ADD = 1
  REMOVE = 2
}

struct RegisterQuery {
  1: required Instance instance
  /** IRIs, statements `<s> <p> <o>`, or plain names. The service name is always registered as well. */
  2: required list<string> serviceTags
  /** Asked for; the registry may clamp it. Default 30000. */
  3: optional i64 leaseMillis
  4: optional RegisterMode mode
  /**
   * Orders the registrations of one instance, whatever way they take: a client gives a number that grows
   * (milliseconds of its clock will do). REPLACE and REMOVE need a higher one than the registry knows;
   * parts sent with ADD may carry that of the REPLACE they belong to. Absent: the node chooses, above what
   * it knows and not below its clock. One more than five minutes ahead of the node's clock is refused.
   */
  5: optional i64 generation
  10: optional CallContext context
}

struct TagWarning {
  1: required string tag
  2: required string message
}

struct LeaseGrant {
  1: required string instanceId
  /** Grows with every registration of the instance; an older one never overrides a newer one. */
  2: required i64 generation
  3: required i64 leaseMillis
  /** How often to send a heartbeat. */
  4: required i64 heartbeatMillis
  /** Copies of the registration record made before this answer, and wanted. */
  5: required i32 copiesMade
  6: required i32 copiesWanted
  7: optional list<TagWarning> warnings
}

struct LeaseRef {
  1: required string instanceId
  /** In deregister, 0 stands for the present one. */
  2: required i64 generation
}

struct HeartbeatQuery {
  1: required list<LeaseRef> leases
  10: optional CallContext context
}

struct HeartbeatResult {
  /** Leases that the registry doesn't know: register these again, in full. */
  1: required list<LeaseRef> unknown
  /** A newer registration of the same instance exists: another process has taken its place. */
  2: optional list<LeaseRef> superseded
}

struct DeregisterQuery {
  1: required LeaseRef lease
  10: optional CallContext context
}

/** An operator's word. It stands over what the instance says of itself, also when that registers again. */
struct StatusQuery {
  1: required string instanceId
  2: required InstanceStatus status
  3: optional string reason
  10: optional CallContext context
}

// ---------------------------------------------------------------- discovery

/** (H) */
struct DiscoveryQuery {
  1: required string serviceName
  10: optional CallContext context
}

/** (H) An address in network byte order: 127.0.0.1 is 2130706433. */
union IpAddress {
  1: i32 ipv4
  2: binary ipv6
}

/** (H) Where the instance gave a host name, `ip` is 0.0.0.0 and `instance.host` holds the name. */
struct ServicePeer {
  1: required IpAddress ip
  2: required i32 port
  3: optional Instance instance
}

/** (H) */
struct DiscoveryResult {
  1: required list<ServicePeer> peers
  2: optional bool degraded
}

/** (T) */
struct TagDiscoveryQuery {
  1: required list<string> serviceTags
  10: optional CallContext context
}

/** (T) A tag that no live instance carries is absent. Tags are spelt as in the query. */
struct TagDiscoveryResult {
  1: required map<string, list<ServicePeer>> peers
  /** True where owners did not answer or leases are held past their end: the answer may be incomplete or stale. */
  2: optional bool degraded
}

/** (T) Every registered entry, service names and tags alike, in the order of their UTF-8 bytes. */
struct ServiceNamesQuery {
  1: optional string prefix
  /** Default and maximum 100000. */
  2: optional i32 limit
  /** `nextCursor` of the page before; good at any node. */
  3: optional string cursor
  10: optional CallContext context
}

struct ServiceNamesResult {
  1: required list<string> serviceNames
  2: optional string nextCursor
  3: optional bool degraded
}

/** How the requested term R and the advertised term A relate; a statement's is its weakest position. */
enum Degree {
  /** The same, or equivalent. */
  EXACT = 1
  /** A is narrower than R. */
  SPECIALISES = 2
  /** A is broader than R. */
  GENERALISES = 3
  /** One position narrower, another broader. */
  OVERLAP = 4
}

enum MatchMode {
  /** EXACT and SPECIALISES. */
  SPECIALISE = 0
  /** EXACT and GENERALISES. */
  COVER = 1
  /** All degrees, OVERLAP too, best first. */
  ANY = 2
}

struct SemanticQuery {
  /** A concept IRI, bare or in brackets, or a statement whose terms may be `*`. */
  1: required string pattern
  2: optional MatchMode mode
  3: optional bool explain
  /** Most matches to return, best first. Default 10000, at most 100000. */
  4: optional i32 limit
  /** For a concept: also statement tags whose subject matches. */
  5: optional bool subjects
  /** Hosts nearest to this place come first. */
  6: optional Locality near
  10: optional CallContext context
}

struct SemanticMatch {
  /** In canonical spelling. */
  1: required string tag
  2: required Degree degree
  /** Fewest axiom steps between what was asked and the tag; equivalences count 0. */
  3: required i32 distance
  4: required list<ServicePeer> peers
  /** The axioms on that path, one an entry, in N-Triples terms, from what was asked to the tag. */
  5: optional list<string> explanation
}

struct SemanticResult {
  1: required list<SemanticMatch> matches
  /** Identifies the set of ontologies that answered. */
  2: required string ontologyVersion
  3: optional bool degraded
  /** For people: unknown terms, near misses. */
  4: optional list<string> diagnostics
}

// ---------------------------------------------------------------- catalogue and watches

/** All entries, first in pages, then as changes: the way a client keeps its own copy for inference. */
struct CatalogQuery {
  /** Absent: from the beginning. One that a node doesn't know is answered with a reset. */
  1: optional string token
  2: optional i32 limit
  /** How long to wait for a change where there is none. Default 0, at most 60000. */
  3: optional i64 waitMillis
  10: optional CallContext context
}

struct CatalogPage {
  1: required list<string> added
  2: required list<string> removed
  3: required string token
  /** More pages are ready now. */
  4: required bool more
  /** True on every first page: drop the copy, a new one begins here. */
  5: required bool reset
}

union WatchTarget {
  1: list<string> serviceTags
  2: SemanticQuery semantic
}

struct WatchQuery {
  1: required WatchTarget target
  /** Absent, or not known to the node: the present answer at once. */
  2: optional string token
  /** Default 30000, at most 60000. */
  3: optional i64 waitMillis
  10: optional CallContext context
}

/** The whole present answer, each time it changes; quick changes are merged. Only the token where nothing did. */
struct WatchResult {
  1: required string token
  2: required bool changed
  3: optional TagDiscoveryResult tags
  4: optional SemanticResult semantic
}

// ---------------------------------------------------------------- ontologies

struct OntologyInfo {
  1: required string iri
  /** SHA-256 of the document, in hex. */
  2: required string contentHash
  3: required i64 version
  4: required i64 triples
  5: required i32 concepts
  6: required i32 properties
}

struct PutOntologyQuery {
  1: required string iri
  2: required binary document
  /** `text/turtle`, `application/rdf+xml`, `application/n-triples`, `application/ld+json`. */
  3: required string mediaType
  /** Say what would change, and change nothing. */
  4: optional bool dryRun
  /** `gzip`, or absent. Up to 64 MiB once unpacked. */
  5: optional string contentEncoding
  10: optional CallContext context
}

struct OntologyEffect {
  /** Registered tags whose set of matching concepts grows or shrinks. */
  1: required i32 tagsGaining
  2: required i32 tagsLosing
  /** Examples, in words. */
  3: required list<string> examples
}

struct OntologyReceipt {
  1: required OntologyInfo info
  2: required list<string> warnings
  3: optional OntologyEffect effect
}

struct OntologyQuery {
  1: required string iri
  /** For getOntology: `gzip` where the caller takes that; a document that fits no message otherwise needs it. */
  2: optional string acceptEncoding
  10: optional CallContext context
}

struct OntologyDocument {
  1: required OntologyInfo info
  2: required binary document
  3: required string mediaType
  /** `gzip`, or absent. */
  4: optional string contentEncoding
}

// ---------------------------------------------------------------- cluster

enum MemberState {
  JOINING = 1
  ALIVE = 2
  SUSPECT = 3
  DEAD = 4
  LEFT = 5
}

struct MemberInfo {
  1: required string id
  /** host:port of the public API. */
  2: required string address
  3: required MemberState state
  4: required i64 incarnation
  5: optional Locality locality
  /** Share of the ring, 0..1. */
  6: optional double ringShare
}

struct NodeStatus {
  1: required string id
  2: required string version
  3: required bool ready
  4: required i32 replicas
  5: required i64 tags
  6: required i64 instances
  7: required string ontologyVersion
  8: required i64 uptimeMillis
}

/**
 * Everything a caller needs. Generate from this file in C and C++, where `register` is a keyword;
 * in other languages generate from registry.thrift, which adds `register`, the same as `advertise`.
 */
service Discovery {

  /** Registers an instance under its name and all its tags, in one call. */
  LeaseGrant advertise(1: required RegisterQuery query)
    throws (1: InvalidServiceName invalidServiceName, 2: InvalidArgument invalidArgument,
            3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized,
            6: StaleGeneration staleGeneration, 7: NotFound notFound)

  HeartbeatResult heartbeat(1: required HeartbeatQuery query)
    throws (2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  /**
   * Idempotent; of an unknown instance, done. Nothing as old or older brings the instance back, also if it
   * arrives later. An older generation than the present one: StaleGeneration, and nothing changes.
   */
  void deregister(1: required DeregisterQuery query)
    throws (2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded,
            5: Unauthorized unauthorized, 6: StaleGeneration staleGeneration)

  void setStatus(1: required StatusQuery query)
    throws (1: NotFound notFound, 2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  /** (H) */
  DiscoveryResult discover(1: required DiscoveryQuery query)
    throws (1: NoPeersAvailable noPeersAvailable, 2: InvalidServiceName invalidServiceName,
            3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  /** (T) Throws NoPeersAvailable only where no tag has a live instance. */
  TagDiscoveryResult tagDiscover(1: required TagDiscoveryQuery query)
    throws (1: NoPeersAvailable noPeersAvailable, 2: InvalidArgument invalidArgument,
            3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  /** (T) */
  ServiceNamesResult serviceNames(1: required ServiceNamesQuery query)
    throws (2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  SemanticResult semanticDiscover(1: required SemanticQuery query)
    throws (2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  CatalogPage catalog(1: required CatalogQuery query)
    throws (2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  WatchResult watch(1: required WatchQuery query)
    throws (2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  OntologyReceipt putOntology(1: required PutOntologyQuery query)
    throws (2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  OntologyDocument getOntology(1: required OntologyQuery query)
    throws (1: NotFound notFound, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  list<OntologyInfo> listOntologies(1: CallContext context)
    throws (3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  void removeOntology(1: required OntologyQuery query)
    throws (1: NotFound notFound, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  list<MemberInfo> members(1: CallContext context)
    throws (3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  /** The ids of the nodes that own a tag, first owner first. */
  list<string> owners(1: required string tag, 2: CallContext context)
    throws (2: InvalidArgument invalidArgument, 3: NotReady notReady, 4: Overloaded overloaded, 5: Unauthorized unauthorized)

  /** Answers in every state, at once: also the way to measure a round trip. */
  NodeStatus status(1: CallContext context)
}
