// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Tag;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A list of tags in parts that each fit into one call. */
final class TagParts {

    /** Room that is left in a frame for all but tags: the instance with its metadata, the context, the envelope. */
    static final int RESERVED_BYTES = 256 * 1024;

    /** What a string takes on the wire besides its characters, at most. */
    private static final int STRING_OVERHEAD_BYTES = 5;

    private TagParts() {}

    /** Splits the tags in their order; at least one part, which may be empty, and each with at least one tag otherwise. */
    static List<List<Tag>> split(List<Tag> tags, int tagsMax, int frameBytesMax) {
        return split(tags, tagsMax, frameBytesMax, Tag::spelling);
    }

    /** The same for texts, as discovery sends them. */
    static List<List<String>> splitTexts(List<String> texts, int textsMax, int frameBytesMax) {
        return split(texts, textsMax, frameBytesMax, text -> text);
    }

    private static <T> List<List<T>> split(List<T> items, int itemsMax, int frameBytesMax, Function<T, String> text) {
        long bytesMax = Math.max(1, (long) frameBytesMax - RESERVED_BYTES);
        List<List<T>> parts = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < items.size(); i++) {
            int itemBytes = STRING_OVERHEAD_BYTES + text.apply(items.get(i)).getBytes(StandardCharsets.UTF_8).length;
            if (i > from && (i - from >= itemsMax || bytes + itemBytes > bytesMax)) {
                parts.add(items.subList(from, i));
                from = i;
                bytes = 0;
            }
            bytes += itemBytes;
        }
        parts.add(items.subList(from, items.size()));
        return parts;
    }
}
