// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.server.cluster.FoundEntries;
import io.tagbahn.server.cluster.FoundMatches;
import io.tagbahn.server.store.ContentHash;
import io.tagbahn.server.store.Peer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** An answer as of one moment, and the token by which a reader says that it has it. */
public sealed interface WatchAnswer {

    /** What an object takes besides its text. */
    long FIXED_BYTES = 64;

    /** Equal where the answers are, at any node. */
    String token();

    boolean degraded();

    /** The nodes whose answer it is: what changes there changes it. */
    Set<String> by();

    /** Memory that it takes, about. */
    long bytes();

    /** Whether anything is known, so that it may be told. */
    default boolean isKnown() {
        return true;
    }

    /** Who is found under entries. */
    record Found(FoundEntries found, String token) implements WatchAnswer {

        @Override
        public boolean degraded() {
            return found.degraded();
        }

        @Override
        public Set<String> by() {
            return found.by();
        }

        @Override
        public long bytes() {
            long bytes = FIXED_BYTES;
            for (List<Peer> peers : found.peers()) {
                bytes += WatchAnswer.bytes(peers);
            }
            return bytes;
        }

        @Override
        public boolean isKnown() {
            return found.answered();
        }
    }

    /** Who is found by meaning. */
    record Matched(FoundMatches found, String token) implements WatchAnswer {

        @Override
        public boolean degraded() {
            return found.degraded();
        }

        @Override
        public Set<String> by() {
            return found.by();
        }

        @Override
        public long bytes() {
            long bytes = FIXED_BYTES;
            for (FoundMatches.Found each : found.found()) {
                bytes += FIXED_BYTES + 2L * each.match().tag().length() + WatchAnswer.bytes(each.peers());
                for (String axiom : each.match().explanation()) {
                    bytes += FIXED_BYTES + 2L * axiom.length();
                }
            }
            return bytes;
        }
    }

    static WatchAnswer of(FoundEntries found) {
        long hash = 1;
        for (List<Peer> peers : found.peers()) {
            hash = ContentHash.mixed(hash, hash(peers));
        }
        return new Found(found, token(hash));
    }

    /** The diagnostics and the version of the ontologies are no part of what a reader waits for. */
    static WatchAnswer of(FoundMatches found) {
        long hash = 2;
        for (FoundMatches.Found each : found.found()) {
            hash = ContentHash.mixed(hash, ContentHash.of(each.match().tag()));
            hash = ContentHash.mixed(hash, ContentHash.of(each.match().degree().name()));
            hash = ContentHash.mixed(hash, each.match().distance());
            for (String axiom : each.match().explanation()) {
                hash = ContentHash.mixed(hash, ContentHash.of(axiom));
            }
            hash = ContentHash.mixed(hash, hash(each.peers()));
        }
        return new Matched(found, token(hash));
    }

    private static long bytes(List<Peer> peers) {
        long bytes = FIXED_BYTES;
        for (Peer peer : peers) {
            bytes += FIXED_BYTES + peer.encodedBytesMax();
        }
        return bytes;
    }

    /** Whatever the order in which nodes name them. */
    private static long hash(List<Peer> peers) {
        List<Long> hashes = new ArrayList<>(peers.size());
        peers.forEach(peer -> hashes.add(ContentHash.of(peer.instance())));
        Collections.sort(hashes);
        long hash = peers.size();
        for (long each : hashes) {
            hash = ContentHash.mixed(hash, each);
        }
        return hash;
    }

    private static String token(long hash) {
        return "w" + Long.toUnsignedString(hash, Character.MAX_RADIX);
    }
}
