// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The folder from which an operator hands out a cluster's keys: {@code authority}, which stays, {@code every-node} for
 * nodes of any id, and {@code nodes/ID} for those that have a certificate of their own.
 *
 * <p>Keys and authority are changed in three steps, so that at each of them nodes that have got the files already and
 * nodes that haven't understand each other. A step that was interrupted is done again by the next call.
 */
public final class KeyFolder {

    /** What was done last. */
    public enum Step {
        /** Nothing is being changed. */
        AT_REST,
        /** New keys and authority are known to nodes besides the old ones, which are in use. */
        ADDED,
        /** The new ones are in use, the old ones still known. */
        SWITCHED
    }

    /** Handed out to nodes of any id. */
    private static final String EVERY_NODE = "every-node";

    private static final String NODES = "nodes";
    private static final String AUTHORITY = "authority";
    private static final String STORE = "authority.p12";
    private static final String CLUSTER = "cluster";
    private static final String STEP = "step";
    private static final String NEXT_PACKET_KEY = "gossip.next";
    private static final String NOW = "authority";
    private static final String NEXT = "next";
    private static final String NODE = "node";
    private static final int PACKET_KEY_BYTES = 32;

    private final Path folder;
    private final RandomGenerator random;

    private KeyFolder(Path folder, RandomGenerator random) {
        this.folder = folder;
        this.random = random;
    }

    /**
     * Makes the keys of a cluster.
     *
     * @param nodes ids of those that get certificates of their own; where there are none, one certificate serves all
     * @param random cryptographically strong
     * @throws FileAlreadyExistsException where the folder holds keys
     */
    public static KeyFolder create(Path folder, String cluster, List<String> nodes, RandomGenerator random)
            throws IOException {
        KeyFolder keys = new KeyFolder(folder, random);
        if (Files.exists(keys.authority(CLUSTER))) {
            throw new FileAlreadyExistsException(folder.toString());
        }
        makePrivate(folder);
        makePrivate(folder.resolve(AUTHORITY));
        Files.deleteIfExists(keys.authority(STORE)); // of an attempt that was interrupted
        Keytool.authority(keys.authority(STORE), NOW, cluster);
        keys.put(keys.authority(NodeKeys.PACKET_KEYS), keys.newPacketKey());
        keys.put(keys.authority(CLUSTER), cluster);
        if (nodes.isEmpty()) {
            keys.add(Optional.empty());
        }
        for (String node : nodes) {
            keys.add(Optional.of(node));
        }
        return keys;
    }

    /** @throws NoSuchFileException where the folder holds no keys */
    public static KeyFolder open(Path folder, RandomGenerator random) throws IOException {
        KeyFolder keys = new KeyFolder(folder, random);
        if (!Files.exists(keys.authority(CLUSTER))) {
            throw new NoSuchFileException(folder.toString());
        }
        return keys;
    }

    /** What a node of this id is to be given: its own keys where it has some, else those for every node. */
    public Path of(String node) {
        Path own = folder.resolve(NODES).resolve(node);
        return Files.exists(own) ? own : folder.resolve(EVERY_NODE);
    }

    /** Makes a certificate for one more node, or for any node. */
    public Path add(Optional<String> node) throws IOException {
        Path target = node.map(id -> folder.resolve(NODES).resolve(id)).orElse(folder.resolve(EVERY_NODE));
        if (node.isPresent()) {
            makePrivate(folder.resolve(NODES));
        }
        makePrivate(target);
        certify(target, node);
        publish(target, step());
        return target;
    }

    /** The folders to hand out. */
    public List<Path> handedOut() throws IOException {
        List<Path> all = new ArrayList<>();
        if (Files.exists(folder.resolve(EVERY_NODE))) {
            all.add(folder.resolve(EVERY_NODE));
        }
        if (Files.exists(folder.resolve(NODES))) {
            try (Stream<Path> nodes = Files.list(folder.resolve(NODES))) {
                nodes.filter(Files::isDirectory).sorted().forEach(all::add);
            }
        }
        return all;
    }

    /** Goes on to the next step and answers which it is; all folders have to reach their nodes before the one after. */
    public Step rotate() throws IOException {
        Step done = switch (step()) {
            case AT_REST -> addNext();
            case ADDED -> Step.SWITCHED;
            case SWITCHED -> dropOld();
        };
        for (Path target : handedOut()) {
            if (done == Step.SWITCHED) {
                boolean every = target.equals(folder.resolve(EVERY_NODE));
                certify(target, NEXT, every ? Optional.empty() : Optional.of(String.valueOf(target.getFileName())));
            }
            publish(target, done);
        }
        put(authority(STEP), done.name());
        if (done == Step.AT_REST) {
            Files.deleteIfExists(authority(NEXT_PACKET_KEY));
        }
        return done;
    }

    private Step addNext() throws IOException {
        if (authorities().size() == 1) {
            Keytool.authority(authority(STORE), NEXT, text(authority(CLUSTER)));
        }
        // One that is in use is left from a rotation that was interrupted at its very end.
        if (!Files.exists(authority(NEXT_PACKET_KEY))
                || text(authority(NEXT_PACKET_KEY)).equals(text(authority(NodeKeys.PACKET_KEYS)))) {
            put(authority(NEXT_PACKET_KEY), newPacketKey());
        }
        return Step.ADDED;
    }

    private Step dropOld() throws IOException {
        put(authority(NodeKeys.PACKET_KEYS), text(authority(NEXT_PACKET_KEY)));
        try {
            KeyStore store = load(authority(STORE));
            if (store.containsAlias(NEXT)) {
                store.setKeyEntry(NOW, store.getKey(NEXT, password()), password(), store.getCertificateChain(NEXT));
                store.deleteEntry(NEXT);
                Path fresh = authority(STORE + ".new");
                try (OutputStream out = Files.newOutputStream(fresh)) {
                    store.store(out, password());
                }
                Files.move(
                        fresh, authority(STORE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(authority(STORE) + ": " + e, e);
        }
        // The step is kept after this, so that an interrupted one finds the key here and does the same again.
        return Step.AT_REST;
    }

    /** Puts what all nodes share into a folder. */
    private void publish(Path target, Step step) throws IOException {
        String now = text(authority(NodeKeys.PACKET_KEYS));
        String ring = now;
        if (step != Step.AT_REST) {
            String next = text(authority(NEXT_PACKET_KEY));
            ring = step == Step.ADDED ? now + "\n" + next : next + "\n" + now;
        }
        StringBuilder trusted = new StringBuilder();
        for (Certificate authority : authorities()) {
            trusted.append(pem("CERTIFICATE", encoded(authority)));
        }
        put(target.resolve(NodeKeys.AUTHORITIES), trusted.toString());
        put(target.resolve(NodeKeys.PACKET_KEYS), ring);
    }

    private void certify(Path target, Optional<String> node) throws IOException {
        certify(target, step() == Step.SWITCHED ? NEXT : NOW, node);
    }

    /** With a copy of the authority's store, which then holds the node's key as well, for a moment. */
    private void certify(Path target, String signer, Optional<String> node) throws IOException {
        Path copy = authority("making.p12");
        Files.copy(authority(STORE), copy, StandardCopyOption.REPLACE_EXISTING);
        try {
            Keytool.certified(copy, NODE, signer, new CertifiedName(text(authority(CLUSTER)), node));
            KeyStore store = load(copy);
            Key key = store.getKey(NODE, password());
            put(target.resolve(NodeKeys.PRIVATE_KEY), pem("PRIVATE KEY", key.getEncoded()));
            put(target.resolve(NodeKeys.CERTIFICATE), pem("CERTIFICATE", encoded(store.getCertificate(NODE))));
        } catch (GeneralSecurityException e) {
            throw new IOException(copy + ": " + e, e);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /** Certificates of the authority that is in use, and of the next one. */
    private List<Certificate> authorities() throws IOException {
        try {
            KeyStore store = load(authority(STORE));
            List<Certificate> found = new ArrayList<>();
            for (String alias : List.of(NOW, NEXT)) {
                if (store.containsAlias(alias)) {
                    found.add(store.getCertificate(alias));
                }
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new IOException(authority(STORE) + ": " + e, e);
        }
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password());
        }
        return store;
    }

    private static char[] password() {
        return Keytool.PASSWORD.toCharArray();
    }

    private static byte[] encoded(Certificate certificate) throws IOException {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private Step step() throws IOException {
        Path file = authority(STEP);
        if (!Files.exists(file)) {
            return Step.AT_REST;
        }
        try {
            return Step.valueOf(text(file));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is damaged: it names no step", e);
        }
    }

    private String newPacketKey() {
        byte[] key = new byte[PACKET_KEY_BYTES];
        random.nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    private Path authority(String name) {
        return folder.resolve(AUTHORITY).resolve(name);
    }

    private static String pem(String what, byte[] encoded) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
                + "\n-----END " + what + "-----\n";
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8).strip();
    }

    /** As a whole and for the owner alone, so that a node never reads half a file. */
    private void put(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        if (isPosix(file)) {
            Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(fresh, text.endsWith("\n") ? text : text + "\n", StandardCharsets.UTF_8);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void makePrivate(Path folder) throws IOException {
        if (Files.exists(folder)) {
            return;
        }
        Files.createDirectories(folder);
        if (isPosix(folder)) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
