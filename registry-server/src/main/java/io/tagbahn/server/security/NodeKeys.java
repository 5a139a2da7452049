// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The keys of one node as they lay in its directory at a moment, checked to belong together.
 *
 * @param packets for datagrams, the one in use first
 * @param name what the node's certificate says it is
 * @param certificate the node's own
 * @param context of the TLS of both sides
 */
record NodeKeys(List<SecretKey> packets, CertifiedName name, X509Certificate certificate, SSLContext context) {

    static final String PACKET_KEYS = "gossip.keys";
    static final String AUTHORITIES = "ca.pem";
    static final String CERTIFICATE = "node.pem";
    static final String PRIVATE_KEY = "node.key";
    static final List<String> FILES = List.of(PACKET_KEYS, AUTHORITIES, CERTIFICATE, PRIVATE_KEY);

    /** Keys in a ring; a rotation needs two. */
    static final int PACKET_KEYS_MAX = 4;

    private static final int FILE_BYTES_MAX = 1 << 20;
    private static final int PACKET_KEY_BYTES = 32;
    private static final char[] NO_PASSWORD = {};

    NodeKeys {
        packets = List.copyOf(packets);
    }

    /**
     * Reads a directory.
     *
     * @param cluster whose certificate the node has to have
     * @param node id of the node
     * @throws BadKeys where a file is missing or damaged, or the certificate is not for this node
     */
    static NodeKeys read(Path directory, String cluster, String node) throws BadKeys {
        Path file = directory.resolve(CERTIFICATE);
        List<X509Certificate> chain = certificates(file);
        X509Certificate own = chain.get(0);
        CertifiedName name = CertifiedName.in(own)
                .orElseThrow(
                        () -> new BadKeys(file, "the certificate names no node: it has no URI tagbahn:CLUSTER/NODE"));
        if (!name.cluster().equals(cluster)) {
            throw new BadKeys(file, "is for cluster '" + name.cluster() + "', and cluster.name is '" + cluster + "'");
        }
        if (!name.suits(node)) {
            throw new BadKeys(file, "is for node " + name.node().orElse("") + ", and this one is " + node);
        }
        try {
            own.checkValidity();
        } catch (CertificateException e) {
            throw new BadKeys(file, e);
        }
        PrivateKey key = privateKey(directory.resolve(PRIVATE_KEY), own.getPublicKey());
        return new NodeKeys(
                packetKeys(directory.resolve(PACKET_KEYS)),
                name,
                own,
                context(directory, key, chain, certificates(directory.resolve(AUTHORITIES))));
    }

    private static byte[] bytes(Path file) throws BadKeys {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new BadKeys(file, "is longer than " + FILE_BYTES_MAX + " bytes");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new BadKeys(file, "no such file; 'tagbahn keys init' makes all of them");
        } catch (IOException e) {
            throw new BadKeys(file, e);
        }
    }

    private static List<SecretKey> packetKeys(Path file) throws BadKeys {
        List<SecretKey> keys = new ArrayList<>();
        for (String line :
                new String(bytes(file), StandardCharsets.UTF_8).lines().toList()) {
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                keys.add(packetKey(file, text));
            }
        }
        if (keys.isEmpty() || keys.size() > PACKET_KEYS_MAX) {
            throw new BadKeys(file, keys.size() + " keys; 1.." + PACKET_KEYS_MAX + " are legal, one a line");
        }
        return keys;
    }

    /** The text is secret: no message repeats it. */
    private static SecretKey packetKey(Path file, String text) throws BadKeys {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new BadKeys(file, "a line is no base64");
        }
        if (key.length != PACKET_KEY_BYTES) {
            throw new BadKeys(file, "a key has " + key.length + " bytes, not " + PACKET_KEY_BYTES);
        }
        return new SecretKeySpec(key, "AES");
    }

    private static List<X509Certificate> certificates(Path file) throws BadKeys {
        try {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes(file)));
            List<X509Certificate> certificates = found.stream()
                    .filter(X509Certificate.class::isInstance)
                    .map(X509Certificate.class::cast)
                    .toList();
            if (certificates.isEmpty()) {
                throw new BadKeys(file, "holds no certificate");
            }
            return certificates;
        } catch (CertificateException e) {
            throw new BadKeys(file, "holds what is no certificate");
        }
    }

    private static PrivateKey privateKey(Path file, PublicKey certified) throws BadKeys {
        String text = new String(bytes(file), StandardCharsets.US_ASCII);
        String begin = "-----BEGIN PRIVATE KEY-----";
        String end = "-----END PRIVATE KEY-----";
        int from = text.indexOf(begin);
        int to = text.indexOf(end);
        if (from < 0 || to < from) {
            throw new BadKeys(file, "holds no private key: PKCS #8, unencrypted, as PEM");
        }
        byte[] encoded = {};
        try {
            encoded = Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
            PrivateKey key =
                    KeyFactory.getInstance(certified.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            if (!belong(key, certified)) {
                throw new BadKeys(file, "is not the key of the certificate in " + CERTIFICATE);
            }
            return key;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new BadKeys(file, "holds no private key that suits the certificate in " + CERTIFICATE);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /** Whether they are a pair: while files are being replaced, they may not be. */
    private static boolean belong(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        String algorithm = switch (certified.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> certified.getAlgorithm();
        };
        byte[] text = PRIVATE_KEY.getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(text);
        return signature.verify(signed);
    }

    private static SSLContext context(
            Path directory, PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities)
            throws BadKeys {
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, NO_PASSWORD);
            own.setKeyEntry("node", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, NO_PASSWORD);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, NO_PASSWORD);
            for (int i = 0; i < authorities.size(); i++) {
                trusted.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), new SecureRandom());
            // Each connection is judged by the keys of the day: no session is taken up again.
            context.getClientSessionContext().setSessionCacheSize(1);
            context.getServerSessionContext().setSessionCacheSize(1);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new BadKeys(directory, e);
        }
    }
}
