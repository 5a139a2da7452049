// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/** Thrift's binary protocol in its strict form, where a message begins with its version. */
final class BinaryWire extends WireProtocol {

    static final int VERSION = 0x80010000;
    private static final int VERSION_MASK = 0xFFFF0000;

    BinaryWire(MessageLimits limits) {
        super(limits);
    }

    @Override
    public TMessage readMessageBegin() throws TException {
        int versionAndType = readI32();
        if ((versionAndType & VERSION_MASK) != VERSION) {
            throw new TProtocolException(
                    TProtocolException.BAD_VERSION, "version " + Integer.toHexString(versionAndType));
        }
        String name = readName(readI32());
        return new TMessage(name, (byte) versionAndType, readI32());
    }

    @Override
    public TStruct readStructBegin() throws TException {
        enter();
        return ANONYMOUS;
    }

    @Override
    public void readStructEnd() {
        leave();
    }

    @Override
    public TField readFieldBegin() throws TException {
        byte type = readByte();
        return type == TType.STOP ? field(TType.STOP, (short) 0) : field(type, readI16());
    }

    @Override
    public TMap readMapBegin() throws TException {
        enter();
        require(6);
        TMap map = new TMap(buffer.readByte(), buffer.readByte(), buffer.readInt());
        if (map.size != 0) {
            checkEntries(map.size, getMinSerializedSize(map.keyType) + getMinSerializedSize(map.valueType));
        }
        return map;
    }

    @Override
    public TList readListBegin() throws TException {
        enter();
        require(5);
        TList list = new TList(buffer.readByte(), buffer.readInt());
        if (list.size != 0) {
            checkEntries(list.size, getMinSerializedSize(list.elemType));
        }
        return list;
    }

    @Override
    public TSet readSetBegin() throws TException {
        return new TSet(readListBegin());
    }

    @Override
    public boolean readBool() throws TException {
        return readByte() == 1;
    }

    @Override
    public byte readByte() throws TException {
        require(1);
        return buffer.readByte();
    }

    @Override
    public short readI16() throws TException {
        require(2);
        return buffer.readShort();
    }

    @Override
    public int readI32() throws TException {
        require(4);
        return buffer.readInt();
    }

    @Override
    public long readI64() throws TException {
        require(8);
        return buffer.readLong();
    }

    @Override
    public double readDouble() throws TException {
        return Double.longBitsToDouble(readI64());
    }

    @Override
    public String readString() throws TException {
        return readText(readI32());
    }

    @Override
    public ByteBuffer readBinary() throws TException {
        return readBytes(readI32());
    }

    @Override
    public void writeMessageBegin(TMessage message) throws TException {
        writeI32(VERSION | (message.type & 0xFF));
        writeString(message.name);
        writeI32(message.seqid);
    }

    @Override
    public void writeStructBegin(TStruct struct) {}

    @Override
    public void writeStructEnd() {}

    @Override
    public void writeFieldBegin(TField field) throws TException {
        room(3);
        buffer.writeByte(field.type);
        buffer.writeShort(field.id);
    }

    @Override
    public void writeFieldStop() throws TException {
        writeByte(TType.STOP);
    }

    @Override
    public void writeMapBegin(TMap map) throws TException {
        room(6);
        buffer.writeByte(map.keyType);
        buffer.writeByte(map.valueType);
        buffer.writeInt(map.size);
    }

    @Override
    public void writeListBegin(TList list) throws TException {
        room(5);
        buffer.writeByte(list.elemType);
        buffer.writeInt(list.size);
    }

    @Override
    public void writeSetBegin(TSet set) throws TException {
        room(5);
        buffer.writeByte(set.elemType);
        buffer.writeInt(set.size);
    }

    @Override
    public void writeBool(boolean value) throws TException {
        writeByte(value ? (byte) 1 : (byte) 0);
    }

    @Override
    public void writeByte(byte value) throws TException {
        room(1);
        buffer.writeByte(value);
    }

    @Override
    public void writeI16(short value) throws TException {
        room(2);
        buffer.writeShort(value);
    }

    @Override
    public void writeI32(int value) throws TException {
        room(4);
        buffer.writeInt(value);
    }

    @Override
    public void writeI64(long value) throws TException {
        room(8);
        buffer.writeLong(value);
    }

    @Override
    public void writeDouble(double value) throws TException {
        writeI64(Double.doubleToLongBits(value));
    }

    @Override
    void writeLength(int bytes) throws TException {
        writeI32(bytes);
    }

    @Override
    public int getMinSerializedSize(byte type) throws TException {
        return bytesMin(type);
    }

    static int bytesMin(byte type) throws TProtocolException {
        return switch (type) {
            case TType.BOOL, TType.BYTE, TType.STRUCT -> 1;
            case TType.I16 -> 2;
            case TType.I32, TType.STRING -> 4;
            case TType.LIST, TType.SET -> 5;
            case TType.MAP -> 6;
            case TType.I64, TType.DOUBLE -> 8;
            case TType.UUID -> 16;
            default -> throw new TProtocolException(TProtocolException.INVALID_DATA, "unknown type " + type);
        };
    }
}
