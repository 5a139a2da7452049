// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/** The characters of a document; bytes that are none are refused, never replaced. */
final class DocumentText {

    private DocumentText() {}

    static String decode(byte[] document, Charset charset) {
        CharsetDecoder decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(document);
        CharBuffer out = CharBuffer.allocate((int) Math.ceil(document.length * (double) decoder.maxCharsPerByte()) + 1);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isUnderflow()) {
            result = decoder.flush(out);
        }
        out.flip();
        if (result.isError()) {
            throw BadDocument.at(out, out.length(), "the bytes there are not " + charset.name());
        }
        // A byte order mark is no part of the text.
        return out.length() > 0 && out.charAt(0) == '\uFEFF'
                ? out.subSequence(1, out.length()).toString()
                : out.toString();
    }
}
