// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.peer.LogPosition;
import io.tagbahn.server.cluster.CatalogReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where a reader of the catalogue goes on; good at any node.
 *
 * @param position where the logs stood when the reader began
 * @param after the last entry of the pages so far; absent once all have been read
 */
record CatalogToken(CatalogReader.Position position, Optional<String> after) {

    private static final int FORM = 1;
    private static final int NODES_MAX = 10_000;

    String text() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.writeLong(position.layout());
            out.writeInt(position.nodes().size());
            for (Map.Entry<String, LogPosition> node : position.nodes().entrySet()) {
                out.writeUTF(node.getKey());
                out.writeLong(node.getValue().epoch());
                out.writeLong(node.getValue().next());
            }
            out.writeBoolean(after.isPresent());
            if (after.isPresent()) {
                out.writeUTF(after.get());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written anywhere
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    /** Absent where the text is no token. */
    static Optional<CatalogToken> parse(String text) {
        try (DataInputStream in = new DataInputStream(
                new ByteArrayInputStream(Base64.getUrlDecoder().decode(text)))) {
            if (in.readByte() != FORM) {
                return Optional.empty();
            }
            long layout = in.readLong();
            int count = in.readInt();
            if (count < 1 || count > NODES_MAX) {
                return Optional.empty();
            }
            Map<String, LogPosition> nodes = new TreeMap<>();
            for (int i = 0; i < count; i++) {
                nodes.put(in.readUTF(), new LogPosition(in.readLong(), in.readLong()));
            }
            Optional<String> after = in.readBoolean() ? Optional.of(in.readUTF()) : Optional.empty();
            return Optional.of(new CatalogToken(new CatalogReader.Position(layout, nodes), after));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
