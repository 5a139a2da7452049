/**
 * What nodes of one cluster say to each other about the data; its own port, framed, compact protocol.
 *
 * A node answers these from what it holds itself and asks nobody (but the caller, for a document that it was told of),
 * so no call can be forwarded twice. All changes
 * are idempotent and may be sent again. Not an API for others: fields may change their meaning with a new `form`.
 */
include "tagbahn.thrift"

namespace java io.tagbahn.thrift.peer

/** Comes first in every call. */
struct Caller {
  /** The cluster that the caller belongs to; calls from another one are refused. */
  1: required string cluster
  /** The calling node's id. */
  2: required string node
  /** A hash of the ring as the caller sees it. */
  3: required i64 ring
  /** Of these messages; 1. */
  4: required i32 form
  /** How long the caller waits. */
  5: required i64 deadlineMillis
}

/** An operator's word on an instance; a higher version stands over a lower one. */
struct Word {
  1: required tagbahn.InstanceStatus status
  2: required string reason
  3: required i64 version
}

/** The whole record of a registration, for a home. */
struct RecordCopy {
  1: required tagbahn.Instance instance
  /** The service name and all tags, sorted. */
  2: required list<string> entries
  3: required i64 generation
  4: required i32 leaseMillis
  /** What is left of the lease. */
  5: required i64 leftMillis
  6: optional Word word
  /** Of the replacement that it goes back to: entries of one generation unite where this is the same too. */
  7: optional i64 origin
}

/** An instance and those of its entries that the receiver owns. */
struct PostedCopy {
  1: required tagbahn.Instance instance
  2: required list<string> entries
  3: required i64 generation
  4: optional Word word
  /** As in the record. */
  5: optional i64 origin
}

/** The end of a registration. */
struct Removal {
  1: required string instanceId
  /** The instance is gone up to this generation. */
  2: required i64 generation
  /** True where a lease ended, absent where somebody deregistered the instance. */
  3: optional bool ended
  /** How much longer to remember it; absent: as long as the receiver does by itself. */
  4: optional i64 keptMillis
}

union Change {
  1: RecordCopy record
  2: PostedCopy posted
  3: Removal removal
}

enum OutcomeKind {
  /** The receiver has it now, or had it. */
  TAKEN = 1
  /** The receiver has something newer; nothing was changed. */
  STALE = 2
  /** The receiver knows that the instance was deregistered later; nothing was changed. */
  GONE = 3
  /** The receiver can't take it; nothing was changed. */
  REFUSED = 4
}

struct Outcome {
  1: required OutcomeKind kind
  /** The newest generation that the receiver knows. */
  2: required i64 generation
  /** Entries that the receiver's record had, and that it lost by the change. */
  3: optional list<string> removed
}

/** What the answering node says of itself. */
struct NodeView {
  /** A hash of the ring as it sees it. */
  1: required i64 ring
  /** Whether it holds all that the ring wants of it. */
  2: required bool filled
  /** Whether it holds leases past their end, because too many ended at once. */
  3: required bool holding
  /** Hashes of the rings of which it holds all that they want of it, earlier ones among them. */
  4: required list<i64> whole
}

/** A change that a home decides about first, one of them. */
union Decision {
  /** Its tags are in canonical spelling, sorted, each once. */
  1: tagbahn.RegisterQuery registration
  2: tagbahn.LeaseRef deregistration
  3: tagbahn.StatusQuery status
}

struct Decided {
  1: required NodeView node
  2: required i64 generation
  /** Whether the instance was registered. */
  3: required bool known
  /** The record as it is now; absent after a deregistration. */
  4: optional RecordCopy record
  /** Entries that the instance had and has no longer. */
  5: required list<string> removed
}

struct Applied {
  1: required NodeView node
  2: required list<Outcome> outcomes
}

struct Renewed {
  1: required NodeView node
  2: required list<tagbahn.LeaseRef> unknown
  3: required list<tagbahn.LeaseRef> superseded
}

/** Milliseconds left of each lease, in the order of the question; -1 where it isn't known. */
struct LeasesLeft {
  1: required NodeView node
  2: required list<i64> leftMillis
}

struct Looked {
  1: required NodeView node
  2: required list<tagbahn.ServicePeer> peers
  /** For each entry of the question, its peers as places in the list. */
  3: required list<list<i32>> places
  /** Entries, as places in the question, that the node does not hold in full. */
  4: required list<i32> unfilled
}

struct EntryList {
  1: required NodeView node
  2: required list<string> entries
  3: required bool more
}

/** A range of instances, by the bucket that an instance falls into and its id. */
struct Place {
  1: required i32 bucket
  2: optional string afterId
}

struct Copies {
  1: required NodeView node
  2: required list<Change> changes
  /** Where to go on; absent at the end. */
  3: optional Place next
}

enum HoldingKind {
  /** Some of the instance's entries. */
  POSTINGS = 1
  /** The record, and entries. */
  RECORD = 2
  /** That it was deregistered. */
  TOMBSTONE = 3
}

/** What a node holds of an instance, as numbers. */
struct Holding {
  1: required string instanceId
  2: required i64 generation
  3: required HoldingKind kind
  /** Of everything that the receiver should hold of it. */
  4: required i64 hash
}

struct Compared {
  1: required NodeView node
  /** Buckets that differ. */
  2: required list<i32> buckets
  /** What the answering node holds in them. */
  3: required list<Holding> holdings
}

/** A question for the tags that the receiver holds. */
struct MatchQuestion {
  1: required tagbahn.SemanticQuery query
  /** The set of ontologies that has to answer; empty where any may. */
  2: required string ontologyVersion
}

struct TagMatch {
  1: required string tag
  2: required tagbahn.Degree degree
  3: required i32 distance
  4: required list<string> explanation
  /** Its peers as places in the list of the answer. */
  5: required list<i32> places
  /** Whether these are all that there are. */
  6: required bool whole
}

struct Matched {
  1: required NodeView node
  /** The set of ontologies of the node; where another one was asked for, there are no matches. */
  2: required string ontologyVersion
  3: required list<tagbahn.ServicePeer> peers
  4: required list<TagMatch> matches
  5: required list<string> diagnostics
  /** Those of the diagnostics that count only where no node found anything. */
  6: required list<string> nearMisses
}

/** A document without its text; of an IRI the higher version stands, then the greater hash. */
struct OntologyHead {
  1: required string iri
  2: required i64 version
  /** SHA-256 of the document, in hex; empty where it was removed. */
  3: required string contentHash
  4: required string mediaType
  5: required i32 bytes
}

struct OntologyHeads {
  1: required NodeView node
  /** Of all heads. */
  2: required string digest
  /** Empty where the caller named the same digest. */
  3: required list<OntologyHead> heads
}

struct LogPosition {
  /** Of the log: another one after a restart. */
  1: required i64 epoch
  2: required i64 next
}

struct LoggedChanges {
  1: required NodeView node
  /** Where to read on. */
  2: required LogPosition next
  /** Whether the position was not known any more, so that changes may be missing. */
  3: required bool reset
  4: required list<string> entries
  /** A byte for each entry: 0 there was nothing under it before, 1 there is nothing any more, 2 something changed. */
  5: required binary kinds
}

service Peer {

  NodeView hello(1: required Caller caller)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady)

  Decided decide(1: required Caller caller, 2: required Decision decision)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument, 5: tagbahn.StaleGeneration staleGeneration,
            6: tagbahn.NotFound notFound, 7: tagbahn.InvalidServiceName invalidServiceName)

  Applied apply(1: required Caller caller, 2: required list<Change> changes)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)

  Renewed renew(1: required Caller caller, 2: required list<tagbahn.LeaseRef> leases)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)

  /** Whether these leases go on elsewhere; asked before one is ended. */
  LeasesLeft leases(1: required Caller caller, 2: required list<tagbahn.LeaseRef> leases)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)

  /**
   * Draws on the accounts of callers of the public API that the receiver keeps: so many calls of each are wanted, so many
   * are given.
   */
  list<i64> draw(1: required Caller caller, 2: required list<string> names, 3: required list<i64> wanted)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)

  Looked lookup(1: required Caller caller, 2: required list<string> entries)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded)

  EntryList entries(1: required Caller caller, 2: required string prefix, 3: string after, 4: required i32 limit)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded)

  /** What the caller should hold, from a place on. */
  Copies copies(1: required Caller caller, 2: required Place place)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)

  /**
   * What a node, the caller or another one, should hold of these instances. An answer that would be too large says in
   * `next` behind which of them it ends; then the rest is to be asked for.
   */
  Copies copiesOf(1: required Caller caller, 2: required list<string> instanceIds, 3: required string node)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)

  /**
   * Compares what the receiver should hold of the instances of which the caller is the home of this rank (0 is the
   * first), by bucket.
   */
  Compared compare(1: required Caller caller, 2: required i32 rank, 3: required list<i64> buckets)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)

  /** The tags that the receiver holds and that answer a question. */
  Matched match(1: required Caller caller, 2: required MatchQuestion question)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)

  /**
   * Changes at the receiver, from a position on; waits for some where there are none.
   *
   * @param touches whether of everything that changes answers, or of entries that come and go alone
   * @param since absent: only where the log stands now
   */
  LoggedChanges changes(1: required Caller caller, 2: required bool touches, 3: LogPosition since,
                        4: required i32 limit, 5: required i64 waitMillis)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded)

  /** The documents that the receiver knows. */
  OntologyHeads ontologies(1: required Caller caller, 2: required string digest)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded)

  /** Bytes of a document from an offset on; fewer than asked for at its end. */
  binary ontologyPart(1: required Caller caller, 2: required OntologyHead head, 3: required i32 offset)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument, 6: tagbahn.NotFound notFound)

  /**
   * Tells of a change, which the receiver then fetches from the caller and takes in. True where it has it, or something
   * newer, once that is in force.
   */
  bool ontologyChanged(1: required Caller caller, 2: required OntologyHead head)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded,
            4: tagbahn.InvalidArgument invalidArgument)
}

/** How nodes find each other, and compare who is there. */
service Gossip {

  /**
   * Where members reach the node; asked at its public port, of a node that is named as a seed.
   *
   * @param encrypted whether the caller talks to members encrypted; refused where the node does otherwise
   */
  string memberAddress(1: required string cluster, 2: bool encrypted = false)
    throws (1: tagbahn.Unauthorized unauthorized, 2: tagbahn.NotReady notReady)

  /**
   * A message of membership over a stream, and what is answered to it: empty where that is nothing.
   *
   * @param sender where members reach the caller
   */
  binary exchange(1: required string sender, 2: required binary message)
    throws (1: tagbahn.InvalidArgument invalidArgument, 2: tagbahn.NotReady notReady, 3: tagbahn.Overloaded overloaded)
}
