// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.tagbahn.thrift.Discovery;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializable;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TTransport;

/** A blocking socket to a server, with libthrift's own protocols for what goes over it. */
final class RawClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;

    RawClient(InetSocketAddress address) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(address, TIMEOUT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** A reply, or the error in its place. */
    record Reply(String method, int sequenceId, TSerializable body) {

        String owner() {
            return ((Discovery.owners_result) body).getSuccess().get(0);
        }

        int errorType() {
            return ((TApplicationException) body).getType();
        }
    }

    static byte[] message(WireForm form, byte type, String method, int sequenceId, TBase<?, ?> arguments)
            throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        TProtocol protocol = protocol(form, buffer);
        protocol.writeMessageBegin(new TMessage(method, type, sequenceId));
        arguments.write(protocol);
        protocol.writeMessageEnd();
        byte[] body = java.util.Arrays.copyOf(buffer.getArray(), buffer.length());
        return form.framed() ? framed(body) : body;
    }

    static byte[] owners(WireForm form, int sequenceId, String tag) throws TException {
        return message(form, TMessageType.CALL, "owners", sequenceId, new Discovery.owners_args(tag, null));
    }

    static byte[] framed(byte[] body) {
        return java.nio.ByteBuffer.allocate(4 + body.length)
                .putInt(body.length)
                .put(body)
                .array();
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static TProtocol protocol(WireForm form, TTransport transport) {
        return form.compact() ? new TCompactProtocol(transport) : new TBinaryProtocol(transport);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends what the server is to close at, some of it perhaps into a connection that is gone; waits for the close. */
    boolean closesOn(byte[] bytes) throws IOException {
        try {
            send(bytes);
        } catch (SocketException e) {
            return true;
        }
        return closedByServer();
    }

    void send(byte[] bytes, int offset, int length) throws IOException {
        socket.getOutputStream().write(bytes, offset, length);
    }

    /** Reads one reply of owners. */
    Reply receive(WireForm form) throws IOException, TException {
        TTransport transport;
        if (form.framed()) {
            byte[] body = new byte[in.readInt()];
            in.readFully(body);
            transport = new TMemoryBuffer(body.length);
            transport.write(body);
        } else {
            transport = new TIOStreamTransport(in);
        }
        TProtocol protocol = protocol(form, transport);
        TMessage head = protocol.readMessageBegin();
        if (head.type == TMessageType.EXCEPTION) {
            return new Reply(head.name, head.seqid, TApplicationException.readFrom(protocol));
        }
        Discovery.owners_result result = new Discovery.owners_result();
        result.read(protocol);
        return new Reply(head.name, head.seqid, result);
    }

    /** Reads one frame, whatever is in it. */
    void skipFrame() throws IOException {
        in.readFully(new byte[in.readInt()]);
    }

    /** Waits for the server to close; whatever it sends before is dropped. */
    boolean closedByServer() throws IOException {
        byte[] sink = new byte[8192];
        try {
            while (true) {
                if (socket.getInputStream().read(sink) < 0) {
                    return true;
                }
            }
        } catch (SocketException e) {
            return true;
        }
    }

    Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
