// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import io.tagbahn.rpc.RpcTls;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * TLS 1.3 between nodes, in which both sides show a certificate of the cluster's authority.
 *
 * <p>Checked besides: that it names this cluster, so that clusters may share an authority; and, where a node calls one
 * that it knows, that the certificate is that node's or any node's.
 */
final class PeerTls implements RpcTls {

    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final String[] SUITES = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};

    private final Supplier<SSLContext> context;
    private final boolean client;
    private final String cluster;
    private final Optional<String> expected;

    /** @param expected id of the node at the other side, where it is known */
    PeerTls(Supplier<SSLContext> context, boolean client, String cluster, Optional<String> expected) {
        this.context = context;
        this.client = client;
        this.cluster = cluster;
        this.expected = expected;
    }

    @Override
    public SSLEngine newEngine() {
        SSLEngine engine = context.get().createSSLEngine();
        SSLParameters parameters = new SSLParameters(SUITES, PROTOCOLS);
        parameters.setNeedClientAuth(!client);
        engine.setSSLParameters(parameters);
        engine.setUseClientMode(client);
        return engine;
    }

    @Override
    public String admit(SSLSession session) throws SSLException {
        Certificate[] chain = session.getPeerCertificates();
        if (chain.length == 0 || !(chain[0] instanceof X509Certificate certificate)) {
            throw new SSLPeerUnverifiedException("no certificate");
        }
        CertifiedName name = CertifiedName.in(certificate)
                .orElseThrow(() -> new SSLPeerUnverifiedException(
                        "the certificate of " + certificate.getSubjectX500Principal() + " names no node"));
        if (!name.cluster().equals(cluster)) {
            throw new SSLPeerUnverifiedException("the certificate " + name + " is of another cluster than " + cluster);
        }
        if (expected.isPresent() && !name.suits(expected.get())) {
            throw new SSLPeerUnverifiedException(
                    "the certificate " + name + " is not of node " + expected.get() + ", which was to be reached");
        }
        return name.node().orElse(CertifiedName.ANY);
    }
}
