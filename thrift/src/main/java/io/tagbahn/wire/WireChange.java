// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Word;
import io.tagbahn.thrift.peer.PostedCopy;
import io.tagbahn.thrift.peer.RecordCopy;
import io.tagbahn.thrift.peer.Removal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Change} on the wire between nodes. */
public final class WireChange {

    private WireChange() {}

    public static List<io.tagbahn.thrift.peer.Change> toWire(List<Change> changes) {
        List<io.tagbahn.thrift.peer.Change> wire = new ArrayList<>(changes.size());
        changes.forEach(change -> wire.add(toWire(change)));
        return wire;
    }

    public static io.tagbahn.thrift.peer.Change toWire(Change change) {
        if (change instanceof Change.RecordCopy copy) {
            return io.tagbahn.thrift.peer.Change.record(record(copy));
        } else if (change instanceof Change.PostedCopy copy) {
            PostedCopy wire = new PostedCopy(WireInstance.toWire(copy.instance()), copy.entries(), copy.generation());
            return io.tagbahn.thrift.peer.Change.posted(
                    wire.setWord(word(copy.word())).setOrigin(copy.origin()));
        } else if (change instanceof Change.Removal removal) {
            Removal wire = new Removal(removal.id().value(), removal.generation());
            if (removal.ended()) {
                wire.setEnded(true);
            }
            if (removal.keptMillis() != Long.MAX_VALUE) {
                wire.setKeptMillis(removal.keptMillis());
            }
            return io.tagbahn.thrift.peer.Change.removal(wire);
        }
        throw new IllegalArgumentException("no form for " + change);
    }

    /** @throws InvalidArgument where another node sent what is no change, with its place in the list */
    public static List<Change> fromWire(List<io.tagbahn.thrift.peer.Change> wire) {
        List<Change> changes = new ArrayList<>(wire.size());
        for (int i = 0; i < wire.size(); i++) {
            try {
                changes.add(fromWire(wire.get(i)));
            } catch (InvalidArgument e) {
                throw e.within("changes[" + i + "]");
            }
        }
        return changes;
    }

    private static Change fromWire(io.tagbahn.thrift.peer.Change wire) {
        if (wire.isSetRecord()) {
            return record(wire.getRecord());
        } else if (wire.isSetPosted()) {
            PostedCopy copy = wire.getPosted();
            return new Change.PostedCopy(
                    WireInstance.fromWire(copy.getInstance()),
                    copy.getEntries(),
                    positive("generation", copy.getGeneration()),
                    word(copy.getWord()),
                    copy.getOrigin());
        } else if (wire.isSetRemoval()) {
            Removal removal = wire.getRemoval();
            return new Change.Removal(
                    new InstanceId(removal.getInstanceId()),
                    positive("generation", removal.getGeneration()),
                    removal.isEnded(),
                    removal.isSetKeptMillis() ? Math.max(0, removal.getKeptMillis()) : Long.MAX_VALUE);
        }
        throw new InvalidArgument("kind", "not known here");
    }

    static RecordCopy record(Change.RecordCopy copy) {
        RecordCopy wire = new RecordCopy(
                WireInstance.toWire(copy.instance()),
                copy.entries(),
                copy.generation(),
                copy.leaseMillis(),
                copy.leftMillis());
        return wire.setWord(word(copy.word())).setOrigin(copy.origin());
    }

    static Change.RecordCopy record(RecordCopy wire) {
        return new Change.RecordCopy(
                WireInstance.fromWire(wire.getInstance()),
                wire.getEntries(),
                positive("generation", wire.getGeneration()),
                Math.toIntExact(positive("leaseMillis", wire.getLeaseMillis())),
                wire.getLeftMillis(),
                word(wire.getWord()),
                wire.getOrigin());
    }

    private static long positive(String field, long value) {
        if (value < 1) {
            throw new InvalidArgument(field, value + " is not within 1..");
        }
        return value;
    }

    private static io.tagbahn.thrift.peer.@Nullable Word word(Word word) {
        return word.version() == 0
                ? null
                : new io.tagbahn.thrift.peer.Word(WireInstance.toWire(word.status()), word.reason(), word.version());
    }

    private static Word word(io.tagbahn.thrift.peer.@Nullable Word wire) {
        return wire == null
                ? Word.NONE
                : new Word(
                        WireInstance.fromWire(wire.getStatus()),
                        wire.getReason(),
                        positive("word.version", wire.getVersion()));
    }
}
