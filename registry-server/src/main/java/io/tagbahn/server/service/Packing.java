// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.InvalidArgument;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Documents packed and unpacked; what comes from outside is never unpacked beyond a limit. */
final class Packing {

    static final String GZIP = "gzip";

    private Packing() {}

    /** @throws InvalidArgument with field {@code contentEncoding} */
    static void check(Optional<String> encoding) {
        encoding.filter(name -> !name.equals(GZIP)).ifPresent(name -> {
            throw new InvalidArgument("contentEncoding", "'" + name + "' is not gzip");
        });
    }

    /** @throws InvalidArgument with field {@code document} where it is not packed so, or larger than the limit */
    static byte[] unpacked(ByteBuffer document, Optional<String> encoding, int bytesMax) {
        byte[] bytes = new byte[document.remaining()];
        document.duplicate().get(bytes);
        if (encoding.isEmpty()) {
            return bytes;
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] unpacked = in.readNBytes(bytesMax);
            if (unpacked.length == bytesMax && in.read() >= 0) {
                throw new InvalidArgument("document", "larger than " + bytesMax + " bytes once unpacked");
            }
            return unpacked;
        } catch (IOException e) {
            throw new InvalidArgument("document", "is not packed with gzip: " + e.getMessage());
        }
    }

    static byte[] packed(byte[] document) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(document.length / 4 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written anywhere
        }
        return out.toByteArray();
    }
}
