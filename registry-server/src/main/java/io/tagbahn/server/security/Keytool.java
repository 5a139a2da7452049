// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Java's own tool for certificates, which every Java of this version or later brings along. */
final class Keytool {

    /** Guards nothing: the files that it opens are their owner's alone. */
    static final String PASSWORD = "tagbahn-keys";

    private static final int DAYS = 3_650;
    private static final int RUN_SECONDS_MAX = 120;
    private static final int OUTPUT_CHARS_MAX = 500;

    private Keytool() {}

    /** Makes a key pair with a certificate that it has signed itself. */
    static void authority(Path store, String alias, String cluster) throws IOException {
        List<String> line = new ArrayList<>(pair(store, alias, "Authority of " + cluster));
        line.addAll(List.of("-ext", "bc:critical=ca:true,pathlen:0", "-ext", "ku:critical=keyCertSign"));
        run(line);
    }

    /** Makes a key pair with a certificate of the authority, which is in the same store. */
    static void certified(Path store, String alias, String signer, CertifiedName name) throws IOException {
        List<String> line =
                new ArrayList<>(pair(store, alias, name.node().orElse("Any node") + " of " + name.cluster()));
        line.addAll(List.of("-signer", signer, "-ext", "san=uri:" + name.uri()));
        line.addAll(List.of("-ext", "ku:critical=digitalSignature", "-ext", "eku=serverAuth,clientAuth"));
        run(line);
    }

    private static List<String> pair(Path store, String alias, String subject) {
        // Valid since yesterday: clocks differ.
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-sigalg",
                "SHA256withECDSA",
                "-validity",
                String.valueOf(DAYS),
                "-startdate",
                "-1d",
                "-dname",
                "CN=" + commonName(subject));
    }

    /** For people; what counts is the alternative name. A common name has 64 characters at most. */
    private static String commonName(String subject) {
        String plain = subject.replaceAll("[^A-Za-z0-9 ._-]", "_");
        return plain.substring(0, Math.min(64, plain.length()));
    }

    private static void run(List<String> line) throws IOException {
        Path output = Files.createTempFile("keytool", ".txt");
        try {
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(RUN_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("keytool has not ended within " + RUN_SECONDS_MAX + " s");
            }
            if (process.exitValue() != 0) {
                String said =
                        Files.readString(output, StandardCharsets.ISO_8859_1).strip();
                throw new IOException("keytool: " + said.substring(0, Math.min(OUTPUT_CHARS_MAX, said.length())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while making keys", e);
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
