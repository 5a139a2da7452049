// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChange;
import io.tagbahn.peer.LoggedChanges;
import java.util.ArrayList;
import java.util.List;

/** Logs of changes between nodes, on the wire. */
public final class WireLog {

    private WireLog() {}

    public static io.tagbahn.thrift.peer.LogPosition toWire(LogPosition position) {
        return new io.tagbahn.thrift.peer.LogPosition(position.epoch(), position.next());
    }

    public static LogPosition fromWire(io.tagbahn.thrift.peer.LogPosition wire) {
        return new LogPosition(wire.getEpoch(), wire.getNext());
    }

    public static io.tagbahn.thrift.peer.LoggedChanges toWire(LoggedChanges changes) {
        List<String> entries = new ArrayList<>(changes.changes().size());
        byte[] kinds = new byte[changes.changes().size()];
        for (LoggedChange change : changes.changes()) {
            kinds[entries.size()] = toWire(change.kind());
            entries.add(change.entry());
        }
        io.tagbahn.thrift.peer.LoggedChanges wire = new io.tagbahn.thrift.peer.LoggedChanges();
        return wire.setNode(WirePeer.toWire(changes.node()))
                .setNext(toWire(changes.next()))
                .setReset(changes.reset())
                .setEntries(entries)
                .setKinds(kinds);
    }

    private static byte toWire(LoggedChange.Kind kind) {
        return switch (kind) {
            case ADDED -> 0;
            case REMOVED -> 1;
            case TOUCHED -> 2;
        };
    }

    private static LoggedChange.Kind kind(byte wire) {
        return switch (wire) {
            case 0 -> LoggedChange.Kind.ADDED;
            case 1 -> LoggedChange.Kind.REMOVED;
            case 2 -> LoggedChange.Kind.TOUCHED;
            default -> throw new InvalidArgument("kinds", wire + " is not within 0..2");
        };
    }

    /** @throws InvalidArgument where another node sent what fits together in no way */
    public static LoggedChanges fromWire(io.tagbahn.thrift.peer.LoggedChanges wire) {
        byte[] kinds = wire.getKinds();
        if (kinds.length != wire.getEntriesSize()) {
            throw new InvalidArgument("kinds", kinds.length + " are not " + wire.getEntriesSize());
        }
        List<LoggedChange> changes = new ArrayList<>(kinds.length);
        for (int i = 0; i < kinds.length; i++) {
            changes.add(new LoggedChange(wire.getEntries().get(i), kind(kinds[i])));
        }
        return new LoggedChanges(WirePeer.fromWire(wire.getNode()), fromWire(wire.getNext()), wire.isReset(), changes);
    }
}
