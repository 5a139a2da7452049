// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ontology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.peer.OntologyHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept on disk and can't be had. */
class OntologyShelfTest {

    private static final byte[] TEXT =
            "<http://example.org/a> <http://example.org/p> <http://example.org/b> .\n".getBytes(StandardCharsets.UTF_8);

    private static OntologyHead head(String iri) {
        return new OntologyHead(iri, 1, ContentHash.of(TEXT), "application/n-triples", TEXT.length);
    }

    private static OntologyShelf shelf(List<OntologyHead> kept, boolean listed) {
        return new OntologyShelf(
                OntologyTerms.defaults(),
                new OntologyFiles() {
                    @Override
                    public List<OntologyHead> load() throws IOException {
                        if (!listed) {
                            throw new IOException("the disk is gone");
                        }
                        return kept;
                    }

                    @Override
                    public void write(OntologyHead head, byte[] document) {
                        throw new IllegalStateException("nothing is written");
                    }

                    @Override
                    public Optional<byte[]> read(OntologyHead head) throws IOException {
                        if (head.iri().endsWith("gone")) {
                            throw new IOException("a sector is gone");
                        }
                        return Optional.of(TEXT);
                    }
                },
                Runnable::run);
    }

    @Test
    void shelfThatCannotTellWhatItHoldsSaysSoAtOnce() {
        OntologyShelf shelf = shelf(List.of(), false);
        assertThatThrownBy(shelf::load)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("the disk is gone");
        assertThat(shelf.isLoaded()).isFalse();
    }

    @Test
    void documentThatCannotBeReadIsLeftOutAndTheOthersAreInForce() {
        OntologyHead there = head("http://example.org/there");
        OntologyShelf shelf = shelf(List.of(head("http://example.org/gone"), there), true);
        assertThat(shelf.load().toCompletableFuture()).isCompleted();
        assertThat(shelf.isLoaded()).isTrue();
        assertThat(shelf.present().present()).containsExactly(there);
    }
}
