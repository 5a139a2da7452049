// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import java.util.List;
import java.util.Optional;

/** Something that the driver of a {@link SwimMachine} has to do, in the order given. */
// The arrays are handed over: neither side touches one again, nor compares effects.
@SuppressWarnings("ArrayRecordComponent")
public sealed interface Effect {

    /** Send a datagram; whether it arrives is not reported. */
    record Send(HostPort to, byte[] datagram) implements Effect {}

    /**
     * Open a stream, send one message, and report its reply to {@link SwimMachine#answered} or, once, its failure to
     * {@link SwimMachine#failed}.
     */
    record OpenStream(long stream, HostPort to, byte[] message) implements Effect {}

    /** Send a last message on a stream that was answered, then close it; no reply is expected. */
    record PushStream(long stream, byte[] message) implements Effect {}

    /** Close a stream; there is nothing more to say, or it took too long. */
    record CloseStream(long stream) implements Effect {}

    /** Answer the message that {@link SwimMachine#accept} was called with, on its stream. */
    record Reply(byte[] message) implements Effect {}

    /** Look up the seeds' addresses for members and report them to {@link SwimMachine#seedsResolved}. */
    record ResolveSeeds(List<String> seeds) implements Effect {}

    /** Keep this incarnation on disk before any later effect is carried out; a restart begins one above it. */
    record PersistIncarnation(long incarnation) implements Effect {}

    /** Keep these members' addresses on disk, in place of earlier ones; a restart asks them besides the seeds. */
    record PersistPeers(List<HostPort> peers) implements Effect {}

    /**
     * A member changed; {@code before} is empty where it is new.
     *
     * @param restarted whether another run of the same id took the place of the one known
     */
    record Changed(Optional<MemberState> before, MemberView after, boolean restarted) implements Effect {}

    /** A dead or departed member left the list of members. */
    record Forgotten(String id) implements Effect {}

    /** This node belongs to a cluster now; {@code alone} where it reached nobody and takes itself for the first. */
    record Joined(boolean alone) implements Effect {}

    /** Others have held this node dead, and left it out meanwhile; it denies that. */
    record TakenForDead() implements Effect {}

    /** The news of leaving is spread; sockets may close. */
    record LeaveSpread() implements Effect {}

    /**
     * A live member elsewhere holds this node's id. Where this node has {@code steppedDown} it takes part no longer;
     * else it goes on asking to join, which will work when the holder is gone.
     */
    record IdentityTaken(HostPort holder, boolean steppedDown) implements Effect {}
}
