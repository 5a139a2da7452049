// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CertifiedNameTest {

    @Test
    void saysWhichNodeOfWhichCluster() {
        CertifiedName name = new CertifiedName("books & more/é", Optional.of("node-1"));
        assertThat(name.uri()).isEqualTo("tagbahn:books%20%26%20more%2F%C3%A9/node-1");
        assertThat(CertifiedName.parse(name.uri())).contains(name);
        assertThat(name.suits("node-1")).isTrue();
        assertThat(name.suits("node-2")).isFalse();
    }

    @Test
    void mayStandForAnyNode() {
        CertifiedName name = new CertifiedName("books", Optional.empty());
        assertThat(name.uri()).isEqualTo("tagbahn:books/*");
        assertThat(CertifiedName.parse(name.uri())).contains(name);
        assertThat(name.suits("anything")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tagbahn:",
                "tagbahn:books",
                "tagbahn:/a",
                "tagbahn:books/",
                "http://books/a",
                "tagbahn:%zz/a"
            })
    void otherUrisAreNone(String uri) {
        assertThat(CertifiedName.parse(uri)).isEmpty();
    }
}
