// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagPatternTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "urn:c",
                "<urn:c>",
                "* a <urn:c>",
                "*a<urn:c> .",
                "* <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:c>",
            })
    void conceptMayBeWrittenInFiveWays(String text) {
        assertThat(TagPattern.parse(text)).isEqualTo(new TagPattern.Concept(new Iri("urn:c")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<urn:s> <urn:p> <urn:o>",
                "* <urn:p> <urn:o>",
                "<urn:s> * <urn:o>",
                "<urn:s> <urn:p> *",
                "* * \"x\"@en",
                "* <urn:p> *",
                "<urn:s> * *",
            })
    void termsOfAStatementMayBeOpen(String text) {
        TagPattern pattern = TagPattern.parse(text);
        assertThat(pattern).isInstanceOf(TagPattern.Shape.class);
        assertThat(pattern.spelling()).isEqualTo(text);
        assertThat(TagPattern.parse(text + " .")).isEqualTo(pattern);
    }

    @Test
    void anyTypeOfAnythingIsAShape() {
        assertThat(TagPattern.parse("* a *").spelling())
                .isEqualTo("* <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> *");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "* *",
                "* * *",
                "* * * .",
                "orders",
                ":Livro",
                "_:b",
                "<urn:s> <urn:p>",
                "* * <rel>",
                "* a <urn:c> *",
                "javascript:x",
                "* * _:b",
                "\"x\"",
            })
    void badPatternIsRefused(String text) {
        assertThatThrownBy(() -> TagPattern.parse(text))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("pattern"));
    }
}
