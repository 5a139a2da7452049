// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Holding;
import io.tagbahn.peer.Word;
import io.tagbahn.server.store.Peer;
import io.tagbahn.server.store.Utf8;
import java.util.List;
import java.util.function.ToLongFunction;

/** How much of what nodes tell each other goes into one message, by bounds on the bytes that it takes there. */
public final class Batches {

    /** Numbers and the heads of fields around a change, in any protocol of Thrift. */
    private static final long CHANGE_BYTES = 80;

    /** Numbers and the heads of fields of a holding. */
    private static final long HOLDING_BYTES = 48;

    /** The length of a text before it. */
    private static final long TEXT_BYTES = 5;

    private Batches() {}

    /** A bound on the bytes of a change. */
    public static long bytesOf(Change change) {
        if (change instanceof Change.RecordCopy copy) {
            return CHANGE_BYTES
                    + Peer.encodedBytesMax(copy.instance())
                    + bytesOf(copy.entries())
                    + bytesOf(copy.word());
        } else if (change instanceof Change.PostedCopy copy) {
            return CHANGE_BYTES
                    + Peer.encodedBytesMax(copy.instance())
                    + bytesOf(copy.entries())
                    + bytesOf(copy.word());
        }
        return CHANGE_BYTES + bytesOf(change.id());
    }

    private static long bytesOf(List<String> entries) {
        long bytes = 0;
        for (String entry : entries) {
            bytes += TEXT_BYTES + Utf8.length(entry);
        }
        return bytes;
    }

    private static long bytesOf(Word word) {
        return TEXT_BYTES + Utf8.length(word.reason());
    }

    /** A bound on the bytes of an instance's id. */
    public static long bytesOf(InstanceId id) {
        return TEXT_BYTES + Utf8.length(id.value());
    }

    /** A bound on the bytes of a holding. */
    public static long bytesOf(Holding holding) {
        return HOLDING_BYTES + Utf8.length(holding.id().value());
    }

    /** The first ones, as many as a message may hold; one at least, where there are any. */
    public static <T> List<T> first(List<T> all, int most, long bytesMax, ToLongFunction<? super T> bytesOf) {
        long bytes = 0;
        int count = 0;
        while (count < Math.min(most, all.size())) {
            bytes += bytesOf.applyAsLong(all.get(count));
            if (bytes > bytesMax && count > 0) {
                break;
            }
            count++;
        }
        return all.subList(0, count);
    }
}
