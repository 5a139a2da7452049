// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.jspecify.annotations.Nullable;

/** Thrift's compact protocol. */
final class CompactWire extends WireProtocol {

    static final byte PROTOCOL_ID = (byte) 0x82;
    static final int VERSION = 1;
    static final int VERSION_MASK = 0x1F;
    static final int TYPE_SHIFT = 5;

    private static final int TRUE = 1;
    private static final int FALSE = 2;

    /** Thrift's types by the codes of this protocol, from BOOLEAN_TRUE = 1 on. */
    private static final byte[] TYPES = {
        TType.STOP,
        TType.BOOL,
        TType.BOOL,
        TType.BYTE,
        TType.I16,
        TType.I32,
        TType.I64,
        TType.DOUBLE,
        TType.STRING,
        TType.LIST,
        TType.SET,
        TType.MAP,
        TType.STRUCT,
        TType.UUID
    };

    private static final byte[] CODES = codes();

    private short[] outerFieldIds = new short[16];
    private int structs;
    private short fieldId;
    private int readBool;
    private @Nullable TField boolField;

    CompactWire(MessageLimits limits) {
        super(limits);
    }

    @Override
    public void reset() {
        structs = 0;
        fieldId = 0;
        readBool = 0;
        boolField = null;
    }

    private void push() {
        if (structs == outerFieldIds.length) {
            outerFieldIds = Arrays.copyOf(outerFieldIds, structs * 2);
        }
        outerFieldIds[structs++] = fieldId;
        fieldId = 0;
    }

    private void pop() {
        fieldId = outerFieldIds[--structs];
    }

    // ------------------------------------------------------------ reading

    @Override
    public TMessage readMessageBegin() throws TException {
        require(2);
        byte id = buffer.readByte();
        int versionAndType = buffer.readByte();
        if (id != PROTOCOL_ID || (versionAndType & VERSION_MASK) != VERSION) {
            throw new TProtocolException(TProtocolException.BAD_VERSION, "version " + id + ", " + versionAndType);
        }
        int sequenceId = readVarint32();
        String name = readName(readVarint32());
        return new TMessage(name, (byte) ((versionAndType >> TYPE_SHIFT) & 7), sequenceId);
    }

    @Override
    public TStruct readStructBegin() throws TException {
        enter();
        push();
        return ANONYMOUS;
    }

    @Override
    public void readStructEnd() {
        pop();
        leave();
    }

    @Override
    public TField readFieldBegin() throws TException {
        byte head = readByte();
        if (head == TType.STOP) {
            return field(TType.STOP, (short) 0);
        }
        byte type = type(head);
        int delta = (head >> 4) & 0x0F;
        fieldId = delta == 0 ? readI16() : (short) (fieldId + delta);
        if (type == TType.BOOL) {
            readBool = head & 0x0F;
        }
        return field(type, fieldId);
    }

    @Override
    public TMap readMapBegin() throws TException {
        enter();
        int entries = readVarint32();
        if (entries == 0) {
            return new TMap(TType.STOP, TType.STOP, 0);
        }
        byte types = readByte();
        byte keyType = type(types >> 4);
        byte valueType = type(types);
        checkEntries(entries, bytesMin(keyType) + bytesMin(valueType));
        return new TMap(keyType, valueType, entries);
    }

    @Override
    public TList readListBegin() throws TException {
        enter();
        byte head = readByte();
        int entries = (head >> 4) & 0x0F;
        if (entries == 15) {
            entries = readVarint32();
        }
        if (entries == 0) {
            return new TList(TType.STOP, 0);
        }
        byte type = type(head);
        checkEntries(entries, bytesMin(type));
        return new TList(type, entries);
    }

    @Override
    public TSet readSetBegin() throws TException {
        return new TSet(readListBegin());
    }

    @Override
    public boolean readBool() throws TException {
        int value = readBool;
        if (value == 0) {
            return readByte() == TRUE;
        }
        readBool = 0;
        return value == TRUE;
    }

    @Override
    public byte readByte() throws TException {
        require(1);
        return buffer.readByte();
    }

    @Override
    public short readI16() throws TException {
        return (short) readI32();
    }

    @Override
    public int readI32() throws TException {
        int value = readVarint32();
        return (value >>> 1) ^ -(value & 1);
    }

    @Override
    public long readI64() throws TException {
        long value = readVarint64();
        return (value >>> 1) ^ -(value & 1);
    }

    @Override
    public double readDouble() throws TException {
        require(8);
        return Double.longBitsToDouble(buffer.readLongLE());
    }

    @Override
    public String readString() throws TException {
        return readText(readVarint32());
    }

    @Override
    public ByteBuffer readBinary() throws TException {
        return readBytes(readVarint32());
    }

    private int readVarint32() throws TException {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte b = readByte();
            value |= (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new TProtocolException(TProtocolException.INVALID_DATA, "number of more than 5 bytes");
    }

    private long readVarint64() throws TException {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            byte b = readByte();
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new TProtocolException(TProtocolException.INVALID_DATA, "number of more than 10 bytes");
    }

    static byte type(int code) throws TProtocolException {
        int index = code & 0x0F;
        if (index == 0 || index >= TYPES.length) {
            throw new TProtocolException(TProtocolException.INVALID_DATA, "unknown type " + index);
        }
        return TYPES[index];
    }

    // ------------------------------------------------------------ writing

    @Override
    public void writeMessageBegin(TMessage message) throws TException {
        room(2);
        buffer.writeByte(PROTOCOL_ID);
        buffer.writeByte(VERSION | (message.type << TYPE_SHIFT));
        writeVarint32(message.seqid);
        writeString(message.name);
    }

    @Override
    public void writeStructBegin(TStruct struct) {
        push();
    }

    @Override
    public void writeStructEnd() {
        pop();
    }

    @Override
    public void writeFieldBegin(TField field) throws TException {
        if (field.type == TType.BOOL) {
            // The head of the field holds the value, which comes next.
            boolField = field;
        } else {
            writeFieldHead(field, CODES[field.type]);
        }
    }

    private void writeFieldHead(TField field, int code) throws TException {
        int delta = field.id - fieldId;
        room(1);
        if (delta > 0 && delta <= 15) {
            buffer.writeByte((delta << 4) | code);
        } else {
            buffer.writeByte(code);
            writeI16(field.id);
        }
        fieldId = field.id;
    }

    @Override
    public void writeFieldStop() throws TException {
        writeByte(TType.STOP);
    }

    @Override
    public void writeMapBegin(TMap map) throws TException {
        writeVarint32(map.size);
        if (map.size != 0) {
            writeByte((byte) ((CODES[map.keyType] << 4) | CODES[map.valueType]));
        }
    }

    @Override
    public void writeListBegin(TList list) throws TException {
        writeListHead(list.elemType, list.size);
    }

    @Override
    public void writeSetBegin(TSet set) throws TException {
        writeListHead(set.elemType, set.size);
    }

    private void writeListHead(byte type, int entries) throws TException {
        if (entries <= 14) {
            writeByte((byte) ((entries << 4) | CODES[type]));
        } else {
            writeByte((byte) (0xF0 | CODES[type]));
            writeVarint32(entries);
        }
    }

    @Override
    public void writeBool(boolean value) throws TException {
        TField field = boolField;
        if (field == null) {
            writeByte((byte) (value ? TRUE : FALSE));
        } else {
            boolField = null;
            writeFieldHead(field, value ? TRUE : FALSE);
        }
    }

    @Override
    public void writeByte(byte value) throws TException {
        room(1);
        buffer.writeByte(value);
    }

    @Override
    public void writeI16(short value) throws TException {
        writeI32(value);
    }

    @Override
    public void writeI32(int value) throws TException {
        writeVarint32((value << 1) ^ (value >> 31));
    }

    @Override
    public void writeI64(long value) throws TException {
        room(10);
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7FL) != 0) {
            buffer.writeByte((int) rest | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte((int) rest);
    }

    @Override
    public void writeDouble(double value) throws TException {
        room(8);
        buffer.writeLongLE(Double.doubleToLongBits(value));
    }

    @Override
    void writeLength(int bytes) throws TException {
        writeVarint32(bytes);
    }

    private void writeVarint32(int value) throws TException {
        room(5);
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            buffer.writeByte(rest | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte(rest);
    }

    @Override
    public int getMinSerializedSize(byte type) throws TException {
        return bytesMin(type);
    }

    static int bytesMin(byte type) throws TProtocolException {
        return switch (type) {
            case TType.BOOL,
                    TType.BYTE,
                    TType.I16,
                    TType.I32,
                    TType.I64,
                    TType.STRING,
                    TType.LIST,
                    TType.SET,
                    TType.MAP,
                    TType.STRUCT -> 1;
            case TType.DOUBLE -> 8;
            case TType.UUID -> 16;
            default -> throw new TProtocolException(TProtocolException.INVALID_DATA, "unknown type " + type);
        };
    }

    private static byte[] codes() {
        byte[] codes = new byte[TType.UUID + 1];
        for (int code = TYPES.length - 1; code > 0; code--) {
            codes[TYPES[code]] = (byte) code;
        }
        return codes;
    }
}
