// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import static io.tagbahn.semantics.TestOntologies.EX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Degree;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Match;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClosureTest {

    private static final String SUB_CLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ":A rdfs:subClassOf :B .|SPECIALISES 1",
                ":A rdfs:subPropertyOf :B .|SPECIALISES 1",
                ":A owl:equivalentClass :B .|EXACT 0",
                ":A owl:equivalentProperty :B .|EXACT 0",
                ":A owl:sameAs :B .|EXACT 0",
                ":B owl:sameAs :A .|EXACT 0",
                ":A owl:intersectionOf ( :X :B ) .|SPECIALISES 1",
                ":B owl:unionOf ( :X :A ) .|SPECIALISES 1",
                ":A a :B .|SPECIALISES 1",
                ":A skos:broader :B .|SPECIALISES 1",
                ":A skos:broadMatch :B .|SPECIALISES 1",
                ":B skos:narrower :A .|SPECIALISES 1",
                ":B skos:narrowMatch :A .|SPECIALISES 1",
                ":A skos:exactMatch :B .|EXACT 0",
                ":A rdfs:subClassOf [ owl:intersectionOf ( :X :B ) ] .|SPECIALISES 2",
                ":A owl:equivalentClass [ owl:intersectionOf ( :X :B ) ] .|SPECIALISES 1",
                ":A rdfs:subClassOf :X . :X rdfs:subClassOf :B .|SPECIALISES 2",
                ":A skos:broader :X . :X skos:broader :B .|SPECIALISES 2",
                ":A a :X . :X rdfs:subClassOf :B .|SPECIALISES 2",
                ":A owl:sameAs :X . :X a :B .|SPECIALISES 1",
                ":B rdfs:subClassOf :A .|GENERALISES 1",
                ":A rdfs:subClassOf :X . :X rdfs:subClassOf :A . :X rdfs:subClassOf :B .|SPECIALISES 1",
                ":B a :A .|",
                ":A rdfs:subClassOf :X . :X a :B .|",
                ":A a :X . :X a :B .|",
                ":A rdfs:domain :B .|",
                ":A rdfs:range :B .|",
                ":A skos:closeMatch :B .|",
                ":A skos:related :B .|",
                ":A owl:inverseOf :B .|",
                ":A owl:disjointWith :B .|",
                ":A rdfs:subClassOf :X . :B rdfs:subClassOf :X .|",
            })
    void termIsNarrowerExactlyByTheAxiomsThatAreUsed(String axioms, String expected) {
        TagIndex index = TagIndex.of(Closure.of(List.of(TestOntologies.turtle(axioms))), List.of(tag("A")));
        List<Match> matches = index.match(
                        MatchQuery.of(new TagPattern.Concept(tag("B"))).inMode(MatchMode.ANY))
                .matches();
        assertThat(matches.stream().map(match -> match.degree() + " " + match.distance()))
                .containsExactlyElementsOf(expected == null ? List.of() : List.of(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ":p owl:inverseOf :q .|EXACT 0",
                ":q owl:inverseOf :p .|EXACT 0",
                ":p a owl:SymmetricProperty . :q rdfs:subPropertyOf :p .|SPECIALISES 1",
                ":q a owl:SymmetricProperty ; rdfs:subPropertyOf :p .|SPECIALISES 1",
                ":r owl:inverseOf :p . :q rdfs:subPropertyOf :r .|SPECIALISES 1",
                ":q rdfs:subPropertyOf [ owl:inverseOf :p ] .|SPECIALISES 1",
                ":p rdfs:subPropertyOf :r . :r owl:inverseOf :q .|GENERALISES 1",
                ":p owl:inverseOf :r . :r owl:inverseOf :q .|",
                ":q rdfs:subPropertyOf :p .|",
            })
    void subjectAndObjectChangePlacesByInverseAndSymmetricProperties(String axioms, String expected) {
        Closure closure = Closure.of(List.of(TestOntologies.turtle(axioms)));
        TagIndex index = TagIndex.of(closure, List.of(Tag.parse("<urn:b> <" + EX + "q> <urn:a>")));
        TagPattern pattern = TagPattern.parse("<urn:a> <" + EX + "p> <urn:b>");
        assertThat(index.match(MatchQuery.of(pattern).inMode(MatchMode.ANY)).matches().stream()
                        .map(match -> match.degree() + " " + match.distance()))
                .containsExactlyElementsOf(expected == null ? List.of() : List.of(expected));
    }

    @Test
    void positionsThatDisagreeOverlap() {
        Closure closure = Closure.of(List.of(TestOntologies.turtle(
                ":S1 rdfs:subClassOf :S2 . :O1 rdfs:subClassOf :O2 . :O2 rdfs:subClassOf :O3 .")));
        TagIndex index = TagIndex.of(closure, List.of(Tag.parse("<" + EX + "S1> <urn:p> <" + EX + "O3>")));
        MatchQuery query = MatchQuery.of(TagPattern.parse("<" + EX + "S2> <urn:p> <" + EX + "O1>"));
        assertThat(index.match(query).matches()).isEmpty();
        assertThat(index.match(query.inMode(MatchMode.COVER)).matches()).isEmpty();
        assertThat(index.match(query.inMode(MatchMode.ANY).explained()).matches())
                .containsExactly(new Match(
                        "<" + EX + "S1> <urn:p> <" + EX + "O3>",
                        Degree.OVERLAP,
                        3,
                        List.of(
                                axiom("S1", SUB_CLASS, "S2"),
                                axiom("O1", SUB_CLASS, "O2"),
                                axiom("O2", SUB_CLASS, "O3"))));
    }

    @Test
    void termOnBothSidesCountsWithItsShorterWay() {
        Closure closure = Closure.of(
                List.of(
                        TestOntologies.turtle(
                                ":A a :R . :R rdfs:subClassOf :X . :X rdfs:subClassOf :A . :P1 rdfs:subClassOf :P2 . :O1 rdfs:subClassOf :O2 .")));
        TagIndex index = TagIndex.of(closure, List.of(Tag.parse("<" + EX + "A> <" + EX + "P1> <" + EX + "O2>")));
        TagPattern pattern = TagPattern.parse("<" + EX + "R> <" + EX + "P2> <" + EX + "O1>");
        assertThat(index.match(MatchQuery.of(pattern).inMode(MatchMode.ANY)).matches())
                .containsExactly(
                        new Match("<" + EX + "A> <" + EX + "P1> <" + EX + "O2>", Degree.OVERLAP, 3, List.of()));
    }

    @Test
    void explanationLeadsFromWhatWasAskedToTheTag() {
        Closure closure = Closure.of(List.of(
                TestOntologies.turtle(":A rdfs:subClassOf :B . :B owl:sameAs :C . :C rdfs:subClassOf :D . :i a :A .")));
        TagIndex index = TagIndex.of(closure, List.of(tag("i")));
        assertThat(index.match(MatchQuery.of(new TagPattern.Concept(tag("D"))).explained())
                        .matches())
                .containsExactly(new Match(
                        EX + "i",
                        Degree.SPECIALISES,
                        3,
                        List.of(
                                axiom("C", SUB_CLASS, "D"),
                                axiom("B", "http://www.w3.org/2002/07/owl#sameAs", "C"),
                                axiom("A", SUB_CLASS, "B"),
                                axiom("i", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "A"))));
    }

    @Test
    void literalsAreEqualByValueWithinOneDatatype() {
        String xsd = "http://www.w3.org/2001/XMLSchema#";
        TagIndex index = TagIndex.of(
                Closure.of(List.of(TestOntologies.obras())),
                List.of(Tag.parse("<urn:s> <urn:p> \"02.0\"^^<" + xsd + "decimal>")));
        assertThat(index.match(MatchQuery.of(TagPattern.parse("<urn:s> <urn:p> \"2\"^^<" + xsd + "decimal>")))
                        .matches())
                .hasSize(1);
        assertThat(index.match(MatchQuery.of(TagPattern.parse("<urn:s> <urn:p> \"2\"^^<" + xsd + "integer>")))
                        .matches())
                .isEmpty();
    }

    @Test
    void reservedTermsAreNotRedefined() {
        Ontology hostile =
                TestOntologies.turtle("owl:Thing rdfs:subClassOf :Obra ; owl:equivalentClass :Obra ; a :Obra ."
                        + ":Obra owl:unionOf ( owl:Thing :Livro ) . rdf:type owl:inverseOf :p . rdf:type a owl:SymmetricProperty ."
                        + "rdfs:label a rdf:Property . :Filme rdfs:subClassOf owl:Thing .");
        Closure closure = Closure.of(List.of(hostile));
        assertThat(closure.warnings().stream().filter(warning -> warning.contains("reserved")))
                .hasSize(6);
        TagIndex index = TagIndex.of(
                closure, List.of(new Iri("http://www.w3.org/2002/07/owl#Thing"), tag("Livro"), tag("Filme")));
        assertThat(
                        index
                                .match(MatchQuery.of(new TagPattern.Concept(tag("Obra")))
                                        .inMode(MatchMode.ANY))
                                .matches()
                                .stream()
                                .map(Match::tag))
                .containsExactly(EX + "Livro");
        assertThat(
                        index
                                .match(MatchQuery.of(TagPattern.parse("http://www.w3.org/2002/07/owl#Thing")))
                                .matches()
                                .stream()
                                .map(Match::tag))
                .containsExactly("http://www.w3.org/2002/07/owl#Thing", EX + "Filme");
    }

    @Test
    void documentMayBeHeldToItsOwnNamespace() {
        Ontology foreign = TestOntologies.turtle(
                "http://example.org/other",
                ":A rdfs:subClassOf :B . <http://example.org/other#X> rdfs:subClassOf :B .");
        Closure everything = Closure.of(List.of(foreign));
        Closure own = Closure.of(List.of(foreign), OntologyScope.OWN_NAMESPACE);
        TagPattern pattern = new TagPattern.Concept(tag("B"));
        List<Tag> tags = List.of(tag("A"), new Iri("http://example.org/other#X"));
        assertThat(TagIndex.of(everything, tags).match(MatchQuery.of(pattern)).matches())
                .hasSize(2);
        assertThat(TagIndex.of(own, tags).match(MatchQuery.of(pattern)).matches())
                .hasSize(1);
        assertThat(everything.warnings()).singleElement().asString().contains("applied: 1 axioms");
        assertThat(own.warnings()).singleElement().asString().contains("left out: 1 axioms");
        assertThat(own.version()).isNotEqualTo(everything.version());
    }

    @Test
    void versionIdentifiesTheSetWhateverItsOrder() {
        Ontology one = TestOntologies.turtle("http://example.org/one", ":A a :B .");
        Ontology two = TestOntologies.turtle("http://example.org/two", ":A a :B .");
        Ontology changed = TestOntologies.turtle("http://example.org/two", ":A a :C .");
        assertThat(Closure.of(List.of(one, two)).version())
                .isEqualTo(Closure.of(List.of(two, one)).version())
                .isNotEqualTo(Closure.of(List.of(one, changed)).version())
                .isNotEqualTo(Closure.of(List.of(one)).version())
                .isNotEqualTo(Closure.empty().version());
        assertThatThrownBy(() -> Closure.of(List.of(two, changed))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unknownTermIsWarnedOf() {
        Closure closure = Closure.of(List.of(TestOntologies.obras()));
        assertThat(closure.warnings(Tag.parse("<http://example.org/obras#Obra> a <urn:unknown>")))
                .singleElement()
                .extracting(warning -> warning.message())
                .asString()
                .contains("<urn:unknown>");
        assertThat(closure.warnings(Tag.parse("orders"))).isEmpty();
        assertThat(Closure.empty().warnings(Tag.parse("urn:unknown"))).isEmpty();
    }

    /** FF-30, with the next one. */
    @Test
    void chainOf100000ClassesCompilesAndAnswers() {
        int length = 100_000;
        StringBuilder chain = new StringBuilder();
        for (int i = 0; i < length; i++) {
            chain.append("<urn:c:")
                    .append(i)
                    .append("> rdfs:subClassOf <urn:c:")
                    .append(i + 1)
                    .append("> .\n");
        }
        Assertions.assertTimeout(Duration.ofSeconds(60), () -> {
            Closure closure = Closure.of(List.of(TestOntologies.turtle(chain.toString())));
            TagIndex index = TagIndex.of(closure, List.of(new Iri("urn:c:0"), new Iri("urn:c:50000")));
            MatchQuery top = MatchQuery.of(TagPattern.parse("urn:c:" + length)).explained();
            assertThat(index.match(top).matches().stream().map(Match::distance)).containsExactly(50_000, length);
            assertThat(index.match(top).matches().get(0).explanation()).hasSize(50_000);
            MatchQuery bottom = MatchQuery.of(TagPattern.parse("urn:c:1")).inMode(MatchMode.ANY);
            assertThat(index.match(bottom).matches().stream().map(match -> match.degree() + " " + match.distance()))
                    .containsExactly("SPECIALISES 1", "GENERALISES 49999");
        });
    }

    @Test
    void cyclesOfAnyLengthAreOneClass() {
        Random random = new Random(30);
        StringBuilder text = new StringBuilder();
        int classes = 5_000;
        int[] cycleOf = new int[classes];
        int next = 0;
        for (int length = 1; next < classes; length = length % 50 + 1) {
            int start = next;
            int end = Math.min(classes, start + length);
            for (int i = start; i < end; i++) {
                int after = i + 1 == end ? start : i + 1;
                String kind = random.nextInt(4) == 0 ? "owl:equivalentClass" : "rdfs:subClassOf";
                text.append("<urn:c:%d> %s <urn:c:%d> .\n".formatted(i, kind, after));
                cycleOf[i] = start;
            }
            if (start > 0) {
                text.append("<urn:c:%d> rdfs:subClassOf <urn:c:%d> .\n".formatted(start, random.nextInt(start)));
            }
            next = end;
        }
        Assertions.assertTimeout(Duration.ofSeconds(10), () -> {
            Closure closure = Closure.of(List.of(TestOntologies.turtle(text.toString())));
            List<Tag> tags = new ArrayList<>();
            IntStream.range(0, classes).forEach(i -> tags.add(new Iri("urn:c:" + i)));
            TagIndex index = TagIndex.of(closure, tags);
            for (int i = 0; i < classes; i += 7) {
                int cycle = cycleOf[i];
                long members = IntStream.range(0, classes)
                        .filter(j -> cycleOf[j] == cycle)
                        .count();
                List<Match> mine = index.match(MatchQuery.of(TagPattern.parse("urn:c:" + i)))
                        .matches();
                List<Match> first = index.match(MatchQuery.of(TagPattern.parse("urn:c:" + cycle)))
                        .matches();
                assertThat(mine).as("class %d", i).isEqualTo(first);
                assertThat(mine.stream().filter(match -> match.degree() == Degree.EXACT))
                        .hasSize((int) members);
            }
        });
    }

    private static Iri tag(String local) {
        return new Iri(EX + local);
    }

    private static String axiom(String subject, String predicate, String object) {
        return "<" + EX + subject + "> <" + predicate + "> <" + EX + object + ">";
    }
}
