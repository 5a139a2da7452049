// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TagPartsTest {

    private static final int FRAME_BYTES = TagParts.RESERVED_BYTES + 1_000;

    @Test
    void noTagsAreOneEmptyPart() {
        assertThat(TagParts.splitTexts(List.of(), 10, FRAME_BYTES)).containsExactly(List.of());
    }

    @Test
    void partsHoldAtMostTheirNumberOfTagsInOrder() {
        List<String> texts = IntStream.range(0, 25).mapToObj(Integer::toString).toList();
        List<List<String>> parts = TagParts.splitTexts(texts, 10, FRAME_BYTES);
        assertThat(parts).extracting(List::size).containsExactly(10, 10, 5);
        assertThat(parts.stream().flatMap(List::stream)).containsExactlyElementsOf(texts);
    }

    @Test
    void partsFitIntoAFrameHoweverManyBytesACharacterTakes() {
        List<String> texts =
                IntStream.range(0, 200).mapToObj(i -> "ü𝄞".repeat(i % 40)).toList();
        List<List<String>> parts = TagParts.splitTexts(texts, 1_000, FRAME_BYTES);
        assertThat(parts)
                .hasSizeGreaterThan(20)
                .allSatisfy(part -> assertThat(part.stream()
                                .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length + 5)
                                .sum())
                        .isLessThanOrEqualTo(1_000));
        assertThat(parts.stream().flatMap(List::stream)).containsExactlyElementsOf(texts);
    }

    @Test
    void tagThatFitsNowhereIsAPartByItself() {
        List<String> texts = List.of("a", "b".repeat(5_000), "c");
        assertThat(TagParts.splitTexts(texts, 10, FRAME_BYTES))
                .extracting(List::size)
                .containsExactly(1, 1, 1);
    }
}
