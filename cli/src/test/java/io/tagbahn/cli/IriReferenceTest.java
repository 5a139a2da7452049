// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IriReferenceTest {

    private static final String BASE = "http://a/b/c/d;p?q";

    // RFC 3986, sections 5.4.1 and 5.4.2.
    @ParameterizedTest
    @CsvSource(
            value = {
                "g:h | g:h",
                "g | http://a/b/c/g",
                "./g | http://a/b/c/g",
                "g/ | http://a/b/c/g/",
                "/g | http://a/g",
                "//g | http://g",
                "?y | http://a/b/c/d;p?y",
                "g?y | http://a/b/c/g?y",
                "#s | http://a/b/c/d;p?q#s",
                "g#s | http://a/b/c/g#s",
                "g?y#s | http://a/b/c/g?y#s",
                ";x | http://a/b/c/;x",
                "g;x | http://a/b/c/g;x",
                "'' | http://a/b/c/d;p?q",
                ". | http://a/b/c/",
                "./ | http://a/b/c/",
                ".. | http://a/b/",
                "../ | http://a/b/",
                "../g | http://a/b/g",
                "../.. | http://a/",
                "../../ | http://a/",
                "../../g | http://a/g",
                "../../../g | http://a/g",
                "/./g | http://a/g",
                "/../g | http://a/g",
                "g. | http://a/b/c/g.",
                ".g | http://a/b/c/.g",
                "g.. | http://a/b/c/g..",
                "./../g | http://a/b/g",
                "./g/. | http://a/b/c/g/",
                "g/./h | http://a/b/c/g/h",
                "g/../h | http://a/b/c/h",
                "g;x=1/./y | http://a/b/c/g;x=1/y",
                "g;x=1/../y | http://a/b/c/y",
                "g?y/./x | http://a/b/c/g?y/./x",
                "g#s/../x | http://a/b/c/g#s/../x"
            },
            delimiter = '|')
    void referenceResolvesAsTheRfcSays(String reference, String expected) {
        assertThat(IriReference.resolve(BASE, reference)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "http://example.org, Livro, http://example.org/Livro",
        "http://example.org/obras, '#Livro', http://example.org/obras#Livro",
        "http://example.org/obras#Obra, '#Livro', http://example.org/obras#Livro",
        "urn:a:b, '#c', urn:a:b#c",
        "http://example.org/obras/, gênero/😀, http://example.org/obras/gênero/😀"
    })
    void otherBasesResolveToo(String base, String reference, String expected) {
        assertThat(IriReference.resolve(base, reference)).isEqualTo(expected);
    }
}
