// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XxHash64Test {

    /** The values are those of the reference implementation over the text in UTF-16LE. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "\"\", 0, EF46DB3751D8E999",
                "\"\", 1, D5AFBA1336A3BE4B",
                "a, 0, E513E02C99167F96",
                "ab, 1, 2FE9BBF5E6858FDB",
                "abc, 0, AFF0F2A2F8B32731",
                "abcd, 1, BE01748AC54618AD",
                "http://example.org/Livro, 0, 688B0039EF543473",
                "<http://example.org/Obra> <http://example.org/temUmGenero> <http://example.org/Terror>, 1, CC9BCF3402803B9D",
                "caf\u00e9 \uD83D\uDE00 0123456789abcdef, 0, C0425764014943C5",
            })
    void hashesTextAsTheReferenceDoes(String text, long seed, String hash) {
        assertThat(XxHash64.hash(text, seed)).isEqualTo(Long.parseUnsignedLong(hash, 16));
    }

    @Test
    void hashesNumbersAsTheReferenceDoes() {
        assertThat(XxHash64.hash(42L, 7)).isEqualTo(0x1889DE22BDD8972CL);
    }
}
