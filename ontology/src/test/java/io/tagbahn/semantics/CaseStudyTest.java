// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Degree;
import io.tagbahn.model.Match;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The thesis's case study (chapter 6.3): who has horror works? */
class CaseStudyTest {

    private static final String EX = "http://example.org/obras#";
    private static final String SUB_CLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>";
    private static final String TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>";

    private final Map<String, String> hostOfTag = registrations();
    private final TagIndex index = TagIndex.of(
            Closure.of(List.of(TestOntologies.obras())),
            hostOfTag.keySet().stream().map(Tag::parse).toList());

    @Test
    void horrorWorksAreFoundWhereBooksAndFilmsAre() {
        List<String[]> queries = rows("queries.tsv");
        assertThat(queries).hasSize(1);
        String[] query = queries.get(0);
        TagPattern pattern = TagPattern.parse(statement(query[0], query[1], query[2]));
        List<Match> matches = index.match(MatchQuery.of(pattern).explained()).matches();
        assertThat(matches)
                .containsExactly(
                        new Match(
                                statement(":Filme", ":temUmGenero", ":Terror"),
                                Degree.SPECIALISES,
                                1,
                                List.of("<" + EX + "Filme> " + SUB_CLASS + " <" + EX + "Obra>")),
                        new Match(
                                statement(":Livro", ":temUmGenero", ":Terror"),
                                Degree.SPECIALISES,
                                1,
                                List.of("<" + EX + "Livro> " + SUB_CLASS + " <" + EX + "Obra>")));
        assertThat(matches.stream().map(match -> hostOfTag.get(match.tag())))
                .containsExactlyInAnyOrder(query[3].split(" "));
    }

    @Test
    void conceptOfWorksYieldsTheThreeKindsThatAreAdvertised() {
        for (String spelling : List.of(EX + "Obra", "<" + EX + "Obra>", "* a <" + EX + "Obra>")) {
            assertThat(match(spelling, MatchMode.SPECIALISE))
                    .containsExactly(
                            "EXACT 0 <http://www.w3.org/2002/07/owl#Thing> " + TYPE + " <" + EX + "Obra>",
                            "SPECIALISES 1 <" + EX + "Obra> " + TYPE + " <" + EX + "Livro>",
                            "SPECIALISES 1 <" + EX + "Obra> " + TYPE + " <" + EX + "Pintura>");
        }
    }

    @Test
    void conceptOfBooksIsCoveredByWorks() {
        assertThat(match(EX + "Livro", MatchMode.COVER))
                .containsExactly(
                        "EXACT 0 <" + EX + "Obra> " + TYPE + " <" + EX + "Livro>",
                        "GENERALISES 1 <http://www.w3.org/2002/07/owl#Thing> " + TYPE + " <" + EX + "Obra>");
    }

    @Test
    void subjectsOfAConceptAreFoundOnRequest() {
        MatchQuery query = MatchQuery.of(TagPattern.parse(EX + "Obra")).withSubjects();
        assertThat(index.match(query).matches()).hasSize(5);
    }

    @Test
    void domainAndRangeAreNeverUsed() {
        String game = statement(":Jogo", ":temUmGenero", ":Terror");
        TagIndex withGame = index.with(List.of(Tag.parse(game)), List.of());
        TagPattern horror = TagPattern.parse(statement(":Obra", ":temUmGenero", ":Terror"));
        assertThat(withGame.match(MatchQuery.of(horror).inMode(MatchMode.ANY)).matches())
                .noneMatch(match -> match.tag().equals(game));
        TagPattern genre = TagPattern.parse("<" + EX + "Obra> <" + EX + "temUmGenero> <" + EX + "Genero>");
        assertThat(withGame.match(MatchQuery.of(genre)).matches())
                .as("horror is a genre, because the ontology says so of it")
                .hasSize(2);
    }

    @Test
    void nearMissIsToldWhereNothingMatches() {
        TagPattern books = TagPattern.parse("<" + EX + "Livro> <" + EX + "temUmGenero> <" + EX + "Genero>");
        assertThat(index.match(MatchQuery.of(books).inMode(MatchMode.COVER)).diagnostics())
                .singleElement()
                .asString()
                .contains("in mode SPECIALISE would <" + EX + "Livro>", "SPECIALISES at distance 1");
        assertThat(index.match(MatchQuery.of(TagPattern.parse(EX + "Poema"))).diagnostics())
                .containsExactly("no ontology knows <" + EX + "Poema>: it matches only itself");
    }

    private List<String> match(String pattern, MatchMode mode) {
        return index.match(MatchQuery.of(TagPattern.parse(pattern)).inMode(mode)).matches().stream()
                .map(match -> match.degree() + " " + match.distance() + " " + match.tag())
                .toList();
    }

    private static Map<String, String> registrations() {
        Map<String, String> hosts = new LinkedHashMap<>();
        for (String[] row : rows("registrations.tsv")) {
            hosts.put(statement(row[1], row[2], row[3]), row[4]);
        }
        return hosts;
    }

    private static String statement(String subject, String predicate, String object) {
        return Tag.parse(iri(subject) + " " + iri(predicate) + " " + iri(object))
                .spelling();
    }

    private static String iri(String term) {
        return switch (term) {
            case "a" -> "a";
            case "owl:Thing" -> "<http://www.w3.org/2002/07/owl#Thing>";
            default -> "<" + EX + term.substring(1) + ">";
        };
    }

    private static List<String[]> rows(String file) {
        String text = new String(TestOntologies.bytes("/io/tagbahn/casestudy/" + file), StandardCharsets.UTF_8);
        List<String[]> rows = new ArrayList<>();
        text.lines().skip(1).map(line -> line.split("\t")).forEach(rows::add);
        return rows;
    }
}
