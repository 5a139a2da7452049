// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** The transport of a protocol that needs none: generated code only asks it for limits. */
final class NoTransport extends TTransport {

    private final TConfiguration configuration;

    NoTransport(TConfiguration configuration) {
        this.configuration = configuration;
    }

    @Override
    public TConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void open() {}

    @Override
    public void close() {}

    @Override
    public int read(byte[] bytes, int offset, int length) throws TTransportException {
        throw new TTransportException(TTransportException.NOT_OPEN, "the protocol reads from its own buffer");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws TTransportException {
        throw new TTransportException(TTransportException.NOT_OPEN, "the protocol writes to its own buffer");
    }

    @Override
    public void updateKnownMessageSize(long bytes) {}

    @Override
    public void checkReadBytesAvailable(long bytes) {}

    @Override
    public void resetMessageSizeAndConsumedBytes(long bytes) {}
}
