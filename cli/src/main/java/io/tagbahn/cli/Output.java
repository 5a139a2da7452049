// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonElement;
import com.google.gson.stream.JsonWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Standard output: UTF-8 and {@code \n}, whatever the locale and the system. Written by one thread; a write that fails
 * throws {@link OutputFailure}.
 */
final class Output {

    private static final int BUFFER_CHARS = 1 << 16;

    private final OutputStream stream;
    private final Writer writer;

    Output(OutputStream stream) {
        this.stream = stream;
        this.writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), BUFFER_CHARS);
    }

    /** For what writes by itself. */
    Writer writer() {
        return writer;
    }

    void line(String text) {
        try {
            writer.write(text);
            writer.write('\n');
        } catch (IOException e) {
            throw new OutputFailure(e);
        }
    }

    /** Bytes as they are, whatever they stand for. */
    void bytes(byte[] bytes) {
        try {
            writer.flush();
            stream.write(bytes);
        } catch (IOException e) {
            throw new OutputFailure(e);
        }
    }

    /** One document on a line of its own. */
    void json(JsonElement document) {
        line(document.toString());
    }

    /** Writes an array of strings, as they come: it may be longer than what fits into memory. */
    JsonStrings jsonStrings() {
        return new JsonStrings();
    }

    /** Hands everything over to whoever reads. */
    void flush() {
        try {
            writer.flush();
        } catch (IOException e) {
            throw new OutputFailure(e);
        }
    }

    /** A JSON array of strings that is being written. */
    final class JsonStrings {

        private final JsonWriter json = new JsonWriter(writer);

        private JsonStrings() {
            try {
                json.beginArray();
            } catch (IOException e) {
                throw new OutputFailure(e);
            }
        }

        void add(String value) {
            try {
                json.value(value);
            } catch (IOException e) {
                throw new OutputFailure(e);
            }
        }

        void end() {
            try {
                json.endArray();
            } catch (IOException e) {
                throw new OutputFailure(e);
            }
            line("");
        }
    }
}
