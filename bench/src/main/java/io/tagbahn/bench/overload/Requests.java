// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.transport.TMemoryBuffer;

/** Requests in frames, encoded once: only their sequence ids change from call to call. */
final class Requests {

    static final String METHOD = "tagDiscover";

    /** Where the sequence id stands: behind the frame's length, the version, the name and its length. */
    private static final int SEQUENCE_ID_AT = 3 * Integer.BYTES + METHOD.length();

    private final List<byte[]> frames = new ArrayList<>();
    private int next;

    /** @param deadline that is told; none where it is zero */
    Requests(List<String> tags, Duration deadline) throws TException {
        for (String tag : tags) {
            TagDiscoveryQuery query = new TagDiscoveryQuery(List.of(tag));
            if (!deadline.isZero()) {
                query.setContext(new CallContext().setDeadlineMillis(deadline.toMillis()));
            }
            TMemoryBuffer buffer = new TMemoryBuffer(256);
            TBinaryProtocol protocol = new TBinaryProtocol(buffer);
            protocol.writeMessageBegin(new TMessage(METHOD, TMessageType.CALL, 0));
            new Discovery.tagDiscover_args(query).write(protocol);
            ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + buffer.length());
            frame.putInt(buffer.length()).put(Arrays.copyOf(buffer.getArray(), buffer.length()));
            frames.add(frame.array());
        }
    }

    /** Puts the next one into a buffer; false where that has no room. */
    boolean put(ByteBuffer out, int sequenceId) {
        byte[] frame = frames.get(next++ % frames.size());
        if (out.remaining() < frame.length) {
            return false;
        }
        int start = out.position();
        out.put(frame);
        out.putInt(start + SEQUENCE_ID_AT, sequenceId);
        return true;
    }
}
