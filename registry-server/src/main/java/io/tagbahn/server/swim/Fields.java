// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The numbered fields of one message, each a number or bytes; those of unknown numbers are read over, so that a newer
 * member may say more than an older one understands.
 */
final class Fields {

    /** A tag is one byte: the number, and a bit that tells bytes from numbers. Numbers from here on are unknown. */
    private static final int TAGS = 16;

    private static final int FIELDS_MAX = 256;

    private final @Nullable WireReader[] parts = new @Nullable WireReader[TAGS];
    private final long[] numbers = new long[TAGS];
    private final boolean[] numbered = new boolean[TAGS];
    private final List<WireReader> repeated = new ArrayList<>();

    private Fields() {}

    /**
     * @param repeatable number of the one field that may occur more than once
     * @param repeatedMax how often
     */
    static Fields read(WireReader in, int repeatable, int repeatedMax) throws BadMessage {
        Fields fields = new Fields();
        for (int count = 0; in.hasMore(); ) {
            int octet = in.octet();
            int tag = octet >> 1;
            boolean isPart = (octet & 1) == 1;
            if (isPart && tag == repeatable) {
                if (fields.repeated.size() == repeatedMax) {
                    throw new BadMessage("field " + tag + " more than " + repeatedMax + " times");
                }
                fields.repeated.add(in.slice());
                continue;
            }
            if (++count > FIELDS_MAX) {
                throw new BadMessage("more than " + FIELDS_MAX + " fields");
            }
            if (isPart) {
                WireReader part = in.slice();
                if (tag < TAGS) {
                    fields.parts[tag] = part;
                }
            } else {
                long number = in.varint();
                if (tag < TAGS) {
                    fields.numbers[tag] = number;
                    fields.numbered[tag] = true;
                }
            }
        }
        return fields;
    }

    static Fields read(WireReader in) throws BadMessage {
        return read(in, -1, 0);
    }

    List<WireReader> repeated() {
        return repeated;
    }

    /** Whether there is a number. */
    boolean has(int tag) {
        return numbered[tag];
    }

    long number(int tag) throws BadMessage {
        if (!numbered[tag]) {
            throw new BadMessage("field " + tag + " is missing");
        }
        return numbers[tag];
    }

    long number(int tag, long otherwise) {
        return numbered[tag] ? numbers[tag] : otherwise;
    }

    int number(int tag, String what, int max) throws BadMessage {
        long value = number(tag);
        if (value > max) {
            throw new BadMessage(what + " " + value + " > " + max);
        }
        return (int) value;
    }

    long incarnation(int tag) throws BadMessage {
        long value = number(tag);
        if (value > CodecLimits.INCARNATION_MAX) {
            throw new BadMessage("incarnation " + value);
        }
        return value;
    }

    WireReader part(int tag) throws BadMessage {
        WireReader part = parts[tag];
        if (part == null) {
            throw new BadMessage("field " + tag + " is missing");
        }
        return part;
    }

    String id(int tag) throws BadMessage {
        return checkedId(part(tag).restAsText(CodecLimits.ID_BYTES_MAX));
    }

    static String checkedId(String id) throws BadMessage {
        if (id.isEmpty()) {
            throw new BadMessage("empty id");
        }
        return id;
    }

    Optional<String> text(int tag, int bytesMax) throws BadMessage {
        WireReader part = parts[tag];
        return part == null ? Optional.empty() : Optional.of(part.restAsText(bytesMax));
    }

    /** Kind of host (4, 6, or 0 for a name), port, host. */
    HostPort address(int tag) throws BadMessage {
        WireReader in = part(tag);
        int kind = in.octet();
        int port = in.octet() << 8 | in.octet();
        if (kind == 0) {
            return new HostPort(Host.parse(in.restAsText(253)), port);
        }
        byte[] bytes = in.rest();
        if ((kind != 4 || bytes.length != 4) && (kind != 6 || bytes.length != 16)) {
            throw new BadMessage("address of kind " + kind + " and " + bytes.length + " bytes");
        }
        return new HostPort(Host.ofAddress(bytes), port);
    }

    static byte[] encoded(HostPort address) {
        WireWriter out = new WireWriter();
        byte[] bytes = address.host().address().map(a -> a.getAddress()).orElse(new byte[0]);
        out.octet(bytes.length == 4 ? 4 : bytes.length == 16 ? 6 : 0);
        out.octet(address.port() >> 8).octet(address.port());
        if (bytes.length == 0) {
            bytes = address.host().toString().getBytes(StandardCharsets.UTF_8);
        }
        return out.raw(bytes).bytes();
    }
}
