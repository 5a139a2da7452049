// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TagTest {

    private static final String EX = "http://example.org/obras#";

    @Test
    void bareAbsoluteIriIsAnIri() {
        assertThat(Tag.parse(EX + "Livro")).isEqualTo(new Iri(EX + "Livro"));
        assertThat(Tag.parse("urn:x:y").spelling()).isEqualTo("urn:x:y");
    }

    @Test
    void iriInBracketsIsTheSameTagAsTheBareIri() {
        assertThat(Tag.parse("<" + EX + "Livro> \t")).isEqualTo(Tag.parse(EX + "Livro"));
    }

    @Test
    void otherTextIsAName() {
        assertThat(Tag.parse("orders")).isEqualTo(new ServiceName("orders"));
        assertThat(Tag.parse("ordres de l'été v2").spelling()).isEqualTo("ordres de l'été v2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<urn:s> <urn:p> <urn:o>",
                "<urn:s><urn:p><urn:o>.",
                "<urn:s> \t <urn:p>\t<urn:o> .",
                "<urn:s> <urn:\\u0070> <\\U00000075rn:o> . ",
            })
    void statementHasOneSpelling(String text) {
        assertThat(Tag.parse(text).spelling()).isEqualTo("<urn:s> <urn:p> <urn:o>");
    }

    @Test
    void aStandsForRdfType() {
        assertThat(Tag.parse("<urn:s> a <urn:o>").spelling())
                .isEqualTo("<urn:s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:o>");
        assertThat(Tag.parse("<urn:s>a<urn:o>")).isEqualTo(Tag.parse("<urn:s> a <urn:o> ."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "decimal +02.50 2.5",
                "decimal 2 2.0",
                "decimal .5 0.5",
                "decimal 5. 5.0",
                "decimal -0.0 0.0",
                "decimal 2e0 2e0",
                "integer +007 7",
                "integer -0 0",
                "integer 1.0 1.0",
                "byte 0127 127",
                "byte 0128 0128",
                "unsignedByte +255 255",
                "unsignedByte -1 -1",
                "unsignedLong 018446744073709551615 18446744073709551615",
                "unsignedLong 018446744073709551616 018446744073709551616",
                "nonNegativeInteger -0 0",
                "positiveInteger 00 00",
                "negativeInteger -01 -1",
                "int 02147483648 02147483648",
                "long -09223372036854775808 -9223372036854775808",
                "double 1 1.0E0",
                "double 100e-2 1.0E0",
                "double 0.1 1.0E-1",
                "double 123456789.125 1.23456789125E8",
                "double 2e-323 2.0E-323",
                "double 4.9e-324 5.0E-324",
                "double 2.0e-3 2.0E-3",
                "double 9007199254740993 9.007199254740992E15",
                "double 1.7976931348623157e308 1.7976931348623157E308",
                "double 1e400 INF",
                "double -1e400 -INF",
                "double -0 0.0E0",
                "double INF INF",
                "double +INF +INF",
                "double NaN NaN",
                "double 0x1p3 0x1p3",
                "double 1d 1d",
                "float 0.1 1.0E-1",
                "float 16777217 1.6777216E7",
                "float 1e39 INF",
                "float 1.4e-45 1.0E-45",
                "boolean 1 true",
                "boolean false false",
                "boolean TRUE TRUE",
                "dateTime 2020-02-29T24:00:00Z 2020-03-01T00:00:00Z",
                "dateTime 2019-12-31T23:30:00.500-01:00 2020-01-01T00:30:00.5Z",
                "dateTime 2020-01-01T00:00:00.000+14:00 2019-12-31T10:00:00Z",
                "dateTime 2020-01-01T00:00:00 2020-01-01T00:00:00",
                "dateTime 2020-01-01T24:00:00 2020-01-02T00:00:00",
                "dateTime 2020-01-01T00:00:00+00:00 2020-01-01T00:00:00Z",
                "dateTime 2021-02-29T00:00:00Z 2021-02-29T00:00:00Z",
                "dateTime 2020-01-01T00:00:60+01:00 2020-01-01T00:00:60+01:00",
                "dateTime 2020-01-01T00:00:00+14:01 2020-01-01T00:00:00+14:01",
                "dateTime 0000-01-01T00:00:00+01:00 0000-01-01T00:00:00+01:00",
                "dateTime -0001-12-31T23:00:00-02:00 0001-01-01T01:00:00Z",
                "dateTime 0001-01-01T00:00:00+01:00 -0001-12-31T23:00:00Z",
                "dateTime 123456789012345678901-01-01T00:00:00+01:00 123456789012345678900-12-31T23:00:00Z",
                "date 2020-01-01+00:00 2020-01-01+00:00",
            })
    void literalIsBroughtToCanonicalForm(String type, String given, String canonical) {
        String datatype = "http://www.w3.org/2001/XMLSchema#" + type;
        assertThat(Literal.of(given, new Iri(datatype)).lexical()).isEqualTo(canonical);
        String statement = "<urn:s> <urn:p> \"%s\"^^<" + datatype + ">";
        assertThat(Tag.parse(statement.formatted(given)).spelling()).isEqualTo(statement.formatted(canonical));
        assertThat(Literal.of(canonical, new Iri(datatype)).lexical()).isEqualTo(canonical);
    }

    @Test
    void stringDatatypeIsDroppedAndLanguageIsLowerCase() {
        assertThat(object("\"x\"^^<http://www.w3.org/2001/XMLSchema#string>")).isEqualTo("\"x\"");
        assertThat(object("\"x\"@PT-br")).isEqualTo("\"x\"@pt-br");
    }

    @Test
    void literalsAreEscapedAsInCanonicalNTriples() {
        assertThat(object(
                        "\"\\t\\b\\n\\r\\f\\\"\\'\\\\ \\u0000\\u000b\\u001F\\u007f\\u0085\\uFFFE \\u00e9\\U0001F600\""))
                .isEqualTo("\"\\t\\b\\n\\r\\f\\\"'\\\\ \\u0000\\u000B\\u001F\\u007F\\u0085\\uFFFE é😀\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " orders",
                "_:b",
                "_:b and more",
                "<_:b>",
                "_:b <urn:p> <urn:o>",
                "<urn:s> <urn:p> _:b",
                "<urn:s> _:b <urn:o>",
                "<Livro>",
                "<#Livro>",
                ":Livro",
                "<urn:s> <urn:p>",
                "<urn:s> <urn:p> <urn:o> <urn:g>",
                "<urn:s> <urn:p> <urn:o> . x",
                "<urn:s> .",
                "<urn:s> \"p\" <urn:o>",
                "<urn:s> b <urn:o>",
                "<urn:s> <urn:p> *",
                "<urn:s> <urn:p> \"x",
                "<urn:s> <urn:p> \"x\"@",
                "<urn:s> <urn:p> \"x\"@9a",
                "<urn:s> <urn:p> \"x\"@en-",
                "<urn:s> <urn:p> \"x\"^^",
                "<urn:s> <urn:p> \"x\"^^<t>",
                "<urn:s> <urn:p> \"x\\y\"",
                "<urn:s> <urn:p> \"x\n\"",
                "<urn:s> <urn:p> \"x\ty\"",
                "<urn:s> <urn:p> \"x\u0085\"",
                "<urn:s>\n<urn:p> <urn:o>",
                "<urn:a b>",
                "<urn:a",
                "<urn:a\\u0020b>",
                "<urn:a\\u003Eb>",
                "<urn:a\\U0000005Cb>",
                "<urn:a\\tb>",
                "<urn:a%zz>",
                "<urn:a%2>",
                "http://",
                "http://:80/",
                "http://user@/x",
                "http:///x",
                "http:x",
                "HTTPS:",
                "http://[::1/x",
                "http://[::1]x/",
                "http://host:port/",
                "http://example.org/a b",
                "foo://a^b",
                "javascript:alert(1)",
                "JavaScript:alert('a b')",
                "vbscript:x",
                "data:text/html,x",
                "<javascript:alert(1)>",
                "<urn:s> <data:x> <urn:o>",
                "a\u0000b",
                "a\u2028b",
                "http://example.org/\u0007",
                "http://example.org/\u2028",
                "\uD83D",
                "http://example.org/\uDE00\uD83D",
            })
    void badTagIsRefused(String text) {
        assertThatThrownBy(() -> Tag.parse(text))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("tag"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\uD83D",
                "\\uDE00",
                "\\uD83D\\uDE00",
                "\\uDE00\\uD83D",
                "\\U0000D800",
                "\\U00110000",
                "\\UFFFFFFFF",
                "\\u12",
                "\\u12G4",
                "\\U0001F60",
                "\\u００４１",
                "\\x41",
                "\\",
                "\uD83D",
                "\uDE00\uD83D",
            })
    void badEscapeIsRefusedWhereverItStandsWithItsPosition(String escape) {
        for (String text : List.of(
                "<urn:a" + escape + ">",
                "<urn:s> <urn:p" + escape + "> <urn:o>",
                "<urn:s> <urn:p> \"x" + escape + "\"",
                "<urn:s> <urn:p> \"x\"^^<urn:t" + escape + ">")) {
            assertThatThrownBy(() -> Tag.parse(text))
                    .isInstanceOf(InvalidArgument.class)
                    .hasMessageContaining("offset");
        }
    }

    @Test
    void astralCharactersAreOneCodePointRawOrEscaped() {
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            int c = 0x10000 + random.nextInt(0x30000);
            String raw = "http://example.org/x" + Character.toString(c);
            String escaped = "<http://example.org/x" + String.format("\\U%08X", c) + ">";
            assertThat(Tag.parse(escaped)).isEqualTo(Tag.parse(raw));
            assertThat(Tag.parse("<urn:s> <urn:p> \"" + Character.toString(c) + "\""))
                    .isEqualTo(Tag.parse("<urn:s> <urn:p> \"" + String.format("\\U%08x", c) + "\""));
        }
    }

    @Test
    void parsingTheSpellingGivesTheTagBack() {
        for (long seed = 0; seed < 20_000; seed++) {
            Tag tag = new RandomTags(seed).next();
            assertThat(Tag.parse(tag.spelling())).as("seed %d", seed).isEqualTo(tag);
            assertThat(Tag.parse(tag.spelling()).spelling()).as("seed %d", seed).isEqualTo(tag.spelling());
        }
    }

    @Test
    void tagMayHave8192BytesAsGivenAndAsSpelt() {
        String longest = "urn:" + "x".repeat(8188);
        assertThat(Tag.parse(longest).spelling()).isEqualTo(longest);
        assertThatThrownBy(() -> Tag.parse(longest + "x")).hasMessageContaining("8192 bytes");
        assertThatThrownBy(() -> Tag.parse("urn:" + "é".repeat(4095))).hasMessageContaining("8192 bytes");
        // 8,191 bytes as given; each U+FFFE is three of them and six in the spelling
        String growing = "<urn:s> <urn:p> \"" + "\uFFFE".repeat(2700) + "\"";
        assertThatThrownBy(() -> Tag.parse(growing)).hasMessageContaining("8192 bytes");
        String shrinking = "<urn:s> <urn:p> \"" + "\\u0041".repeat(1400) + "\"";
        assertThatThrownBy(() -> Tag.parse(shrinking)).hasMessageContaining("8192 bytes");
    }

    @Test
    void iriThatIsLegalButNotInNormalFormIsWarnedOf() {
        assertThat(TagWarning.allOf(Tag.parse("http://example.org/obras#Livro")))
                .isEmpty();
        assertThat(TagWarning.allOf(Tag.parse("orders"))).isEmpty();
        assertThat(TagWarning.allOf(Tag.parse("http://example.org/" + Character.toString(0x2F999))))
                .as("a compatibility ideograph, never in normal form C")
                .hasSize(1);
        for (String iri : List.of(
                "HTTP://example.org/",
                "http://Example.org/",
                "http://example.org:80/",
                "https://example.org:443/",
                "http://example.org:/",
                "http://example.org/%41",
                "http://example.org/%c3%a9",
                "http://example.org/a/../b",
                "http://example.org/.",
                "http://example.org/e\u0301")) {
            assertThat(TagWarning.allOf(Tag.parse(iri))).as(iri).hasSize(1);
            assertThat(TagWarning.allOf(Tag.parse("<urn:s> <urn:p> <" + iri + ">")))
                    .as(iri)
                    .hasSize(1);
        }
    }

    private static String object(String literal) {
        String spelling = Tag.parse("<urn:s> <urn:p> " + literal).spelling();
        return spelling.substring("<urn:s> <urn:p> ".length());
    }
}
