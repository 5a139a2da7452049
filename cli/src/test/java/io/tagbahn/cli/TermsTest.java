// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Tag;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TermsTest {

    private final Terms terms = new Terms(
            Map.of("", "http://example.org/obras#", "ex", "http://example.org/"),
            Optional.of("http://example.org/base/x"));
    private final Terms bare = new Terms(Map.of(), Optional.empty());

    @ParameterizedTest
    @CsvSource(
            value = {
                ":Livro | <http://example.org/obras#Livro>",
                "ex:Livro | <http://example.org/Livro>",
                "owl:Thing | <http://www.w3.org/2002/07/owl#Thing>",
                "<http://example.org/x> | <http://example.org/x>",
                "<Livro> | <http://example.org/base/Livro>",
                "http://example.org/x | http://example.org/x",
                "urn:isbn:1 | urn:isbn:1",
                "orders:v1 | orders:v1",
                "books | books",
                "my books and films | my books and films",
                ":Livro :temUmGenero :Terror | <http://example.org/obras#Livro> <http://example.org/obras#temUmGenero>"
                        + " <http://example.org/obras#Terror>",
                "owl:Thing a :Obra | <http://www.w3.org/2002/07/owl#Thing> a <http://example.org/obras#Obra>",
                "<s> <p> ex:o . | <http://example.org/base/s> <http://example.org/base/p> <http://example.org/o>",
                "<http://a/s><http://a/p><http://a/o>. | <http://a/s> <http://a/p> <http://a/o>",
                "<http://a/s> <http://a/p> <http://a/o> . # said so | <http://a/s> <http://a/p> <http://a/o>"
            },
            delimiter = '|')
    void tagIsWrittenOut(String typed, String sent) {
        assertThat(terms.tag(typed)).isEqualTo(sent);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                ":s :p \"a b\" | \"a b\"",
                ":s :p \"a \\\"quoted\\\" b\"@en | \"a \\\"quoted\\\" b\"@en",
                ":s :p \"1\"^^xsd:integer | \"1\"^^<http://www.w3.org/2001/XMLSchema#integer>",
                ":s :p \"1\"^^xsd:integer. | \"1\"^^<http://www.w3.org/2001/XMLSchema#integer>",
                ":s :p \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> . |"
                        + " \"1\"^^<http://www.w3.org/2001/XMLSchema#integer>",
                ":s :p :o. | <http://example.org/obras#o>",
                ":s :p * | *"
            },
            delimiter = '|')
    void objectOfAStatementIsWrittenOut(String typed, String object) {
        assertThat(terms.statement(typed))
                .isEqualTo("<http://example.org/obras#s> <http://example.org/obras#p> " + object);
    }

    @Test
    void starAndAStandInStatements() {
        assertThat(terms.statement("* a :Obra")).isEqualTo("* a <http://example.org/obras#Obra>");
    }

    @ParameterizedTest
    @ValueSource(strings = {":s :p", ":s", ":s :p :o :x", ""})
    void statementHasThreeTerms(String typed) {
        assertThatThrownBy(() -> terms.statement(typed))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("not three");
    }

    @Test
    void undeclaredPrefixInAStatementIsNamed() {
        assertThatThrownBy(() -> terms.statement(":s nope:p :o"))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("'nope:'")
                .hasMessageContaining("--prefix nope=IRI");
    }

    @Test
    void undeclaredEmptyPrefixIsAnErrorEverywhere() {
        assertThatThrownBy(() -> bare.tag(":Livro")).hasMessageContaining("--prefix =IRI");
        assertThatThrownBy(() -> bare.concept(":Livro")).hasMessageContaining("--prefix =IRI");
    }

    @Test
    void relativeIriNeedsABase() {
        assertThatThrownBy(() -> bare.tag("<Livro>")).hasMessageContaining("--base IRI");
    }

    @Test
    void declaredPrefixDoesNotTakeAnIriApart() {
        Terms http = new Terms(Map.of("http", "http://elsewhere.org/"), Optional.empty());
        assertThat(http.tag("http://example.org/x")).isEqualTo("http://example.org/x");
    }

    @Test
    void blankNodeIsLeftForTheModelToRefuse() {
        assertThatThrownBy(() -> Tag.parse(terms.tag("<_:b> <http://a/p> <http://a/o>")))
                .isInstanceOf(InvalidArgument.class);
        assertThatThrownBy(() -> Tag.parse(terms.tag(":s :p _:b")))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("blank node");
    }

    @Test
    void wordWithoutAColonIsNoTerm() {
        assertThatThrownBy(() -> terms.statement(":Obra temUmGenero :Terror"))
                .hasMessageContaining("'temUmGenero' at offset 6");
    }

    @Test
    void openBracketIsNamedWithItsPlace() {
        assertThatThrownBy(() -> terms.statement(":a <http://x :b")).hasMessageContaining("offset 3");
    }

    @Test
    void termsAreShortenedForPeople() {
        assertThat(terms.shortened("<http://example.org/obras#Livro> <http://www.w3.org/2000/01/rdf-schema#subClassOf>"
                        + " <http://elsewhere.org/x/y> \"<http://example.org/obras#Livro>\""))
                .isEqualTo(":Livro rdfs:subClassOf <http://elsewhere.org/x/y> \"<http://example.org/obras#Livro>\"");
        assertThat(terms.shortened("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"))
                .isEqualTo("a");
    }
}
