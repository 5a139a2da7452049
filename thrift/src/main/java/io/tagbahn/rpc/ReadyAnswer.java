// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializable;
import org.apache.thrift.protocol.TProtocol;

/** The answer to many calls, encoded once. Immutable. */
public final class ReadyAnswer implements TSerializable {

    private final TSerializable answer;
    private final byte[] binary;
    private final byte[] compact;

    /**
     * Encodes an answer.
     *
     * @param answer the result struct of a method, which must not be changed any more
     * @throws IllegalArgumentException where it can't be written, as without a required field
     */
    public ReadyAnswer(TSerializable answer) {
        this.answer = answer;
        binary = encoded(answer, false);
        compact = encoded(answer, true);
    }

    private static byte[] encoded(TSerializable answer, boolean compactForm) {
        ByteBuf buffer = Unpooled.buffer();
        WireProtocol protocol =
                WireProtocol.of(compactForm, RpcLimits.defaults().message());
        protocol.writeTo(buffer);
        try {
            answer.write(protocol);
        } catch (TException e) {
            throw new IllegalArgumentException(answer + " can't be written", e);
        }
        return ByteBufUtil.getBytes(buffer);
    }

    /** What was encoded. */
    public TSerializable answer() {
        return answer;
    }

    @Override
    public void write(TProtocol protocol) throws TException {
        if (protocol instanceof BinaryWire wire) {
            wire.buffer.writeBytes(binary);
        } else if (protocol instanceof CompactWire wire) {
            wire.buffer.writeBytes(compact);
        } else {
            answer.write(protocol);
        }
    }

    @Override
    public void read(TProtocol protocol) {
        throw new UnsupportedOperationException("an answer that lies ready is not read");
    }
}
