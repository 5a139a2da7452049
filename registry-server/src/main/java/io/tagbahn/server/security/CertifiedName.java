// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What a certificate says of its holder: a node of a cluster, or any node of it.
 *
 * <p>It stands in the certificate as a subject alternative name, a URI {@code tagbahn:CLUSTER/NODE} with both parts
 * percent-encoded; {@code *} stands for any node.
 *
 * @param cluster its name
 * @param node id of the node; absent where the certificate suits any
 */
public record CertifiedName(String cluster, Optional<String> node) {

    private static final String SCHEME = "tagbahn:";

    /** Stands for any node; no id of one. */
    public static final String ANY = "*";

    /** Of subject alternative names, RFC 5280, 4.2.1.6: uniformResourceIdentifier. */
    private static final int URI = 6;

    /** Whether a node of this id may use the certificate. */
    public boolean suits(String id) {
        return node.isEmpty() || node.get().equals(id);
    }

    public String uri() {
        return SCHEME + encoded(cluster) + "/"
                + node.map(CertifiedName::encoded).orElse(ANY);
    }

    /** The name in the certificate; empty where there is none, or not one alone. */
    public static Optional<CertifiedName> in(X509Certificate certificate) {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            return Optional.empty();
        }
        if (names == null) {
            return Optional.empty();
        }
        List<CertifiedName> found = names.stream()
                .filter(name -> name.size() == 2 && Integer.valueOf(URI).equals(name.get(0)))
                .map(name -> parse(String.valueOf(name.get(1))))
                .flatMap(Optional::stream)
                .toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    static Optional<CertifiedName> parse(String uri) {
        int slash = uri.lastIndexOf('/');
        if (!uri.startsWith(SCHEME) || slash < 0) {
            return Optional.empty();
        }
        try {
            String cluster = URLDecoder.decode(uri.substring(SCHEME.length(), slash), StandardCharsets.UTF_8);
            String node = URLDecoder.decode(uri.substring(slash + 1), StandardCharsets.UTF_8);
            return cluster.isEmpty() || node.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new CertifiedName(cluster, node.equals(ANY) ? Optional.empty() : Optional.of(node)));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // percent signs that encode nothing
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return uri();
    }
}
