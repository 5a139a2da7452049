// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Node records, claims and lines of state as bytes. */
final class RecordCodec {

    private static final int METADATA = 9;

    private RecordCodec() {}

    static byte[] encode(NodeRecord node) {
        WireWriter out = new WireWriter()
                .field(1, node.id())
                .field(2, Fields.encoded(node.gossip()))
                .field(3, Fields.encoded(node.api()))
                .field(4, node.run())
                .field(5, node.weight());
        node.locality().node().ifPresent(name -> out.field(6, name));
        node.locality().zone().ifPresent(name -> out.field(7, name));
        node.locality().region().ifPresent(name -> out.field(8, name));
        for (Map.Entry<String, String> entry : node.metadata().entrySet()) {
            out.field(
                    METADATA,
                    new WireWriter().text(entry.getKey()).text(entry.getValue()).bytes());
        }
        return out.bytes();
    }

    static NodeRecord node(WireReader in) throws BadMessage {
        Fields fields = Fields.read(in, METADATA, CodecLimits.METADATA_ENTRIES_MAX);
        Map<String, String> metadata = new TreeMap<>();
        for (WireReader entry : fields.repeated()) {
            String key = entry.slice().restAsText(CodecLimits.METADATA_BYTES_MAX);
            metadata.put(key, entry.slice().restAsText(CodecLimits.METADATA_BYTES_MAX));
        }
        HostPort gossip = fields.address(2);
        return new NodeRecord(
                fields.id(1),
                gossip,
                fields.address(3),
                fields.number(4),
                fields.number(5, "weight", 10_000),
                new Locality(
                        fields.text(6, Locality.BYTES_MAX),
                        fields.text(7, Locality.BYTES_MAX),
                        fields.text(8, Locality.BYTES_MAX)),
                metadata);
    }

    static byte[] encode(Claim.Alive claim) {
        return new WireWriter()
                .field(1, encode(claim.node()))
                .field(2, claim.incarnation())
                .bytes();
    }

    static Claim.Alive alive(WireReader in) throws BadMessage {
        Fields fields = Fields.read(in);
        return new Claim.Alive(node(fields.part(1)), fields.incarnation(2));
    }

    static byte[] encode(StateEntry entry) {
        return new WireWriter()
                .field(1, encode(entry.node()))
                .field(2, entry.incarnation())
                .field(3, number(entry.state()))
                .bytes();
    }

    static List<StateEntry> entries(List<WireReader> parts) throws BadMessage {
        List<StateEntry> entries = new ArrayList<>(parts.size());
        for (WireReader part : parts) {
            Fields fields = Fields.read(part);
            entries.add(new StateEntry(node(fields.part(1)), fields.incarnation(2), state(fields.number(3))));
        }
        return entries;
    }

    private static int number(MemberState state) {
        return switch (state) {
            case JOINING, ALIVE -> 1;
            case SUSPECT -> 2;
            case DEAD -> 3;
            case LEFT -> 4;
        };
    }

    private static MemberState state(long number) throws BadMessage {
        return switch ((int) Math.min(number, 5)) {
            case 1 -> MemberState.ALIVE;
            case 2 -> MemberState.SUSPECT;
            case 3 -> MemberState.DEAD;
            case 4 -> MemberState.LEFT;
            default -> throw new BadMessage("member state " + number);
        };
    }
}
