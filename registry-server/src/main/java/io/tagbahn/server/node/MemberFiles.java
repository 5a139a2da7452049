// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.server.gossip.MemberMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member knows again after a restart, in two files: its incarnation, and where others were, a line each.
 *
 * <p>A node goes on without them: others correct its incarnation, and seeds lead to members.
 */
final class MemberFiles implements MemberMemory {

    private static final Logger log = LoggerFactory.getLogger(MemberFiles.class);

    /** More lines are not looked at. */
    private static final int PEERS_MAX = 256;

    private final Path incarnation;
    private final Path peers;

    MemberFiles(Path incarnation, Path peers) {
        this.incarnation = incarnation;
        this.peers = peers;
    }

    @Override
    public long incarnation() {
        List<String> lines = read(incarnation);
        try {
            return lines.isEmpty() ? 0 : Math.max(0, Long.parseLong(lines.get(0).strip()));
        } catch (NumberFormatException e) {
            log.warn("{} holds no number: beginning anew", incarnation);
            return 0;
        }
    }

    @Override
    public void keepIncarnation(long kept) {
        replace(incarnation, kept + "\n");
    }

    @Override
    public List<HostPort> peers() {
        List<HostPort> known = new ArrayList<>();
        for (String line : read(peers)) {
            try {
                known.add(HostPort.parse(line.strip()));
            } catch (InvalidArgument e) {
                log.warn("{}: '{}' is no address", peers, line);
            }
            if (known.size() == PEERS_MAX) {
                break;
            }
        }
        return known;
    }

    @Override
    public void keepPeers(List<HostPort> kept) {
        StringBuilder text = new StringBuilder();
        kept.forEach(peer -> text.append(peer).append('\n'));
        replace(peers, text.toString());
    }

    private static List<String> read(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
        } catch (IOException e) {
            log.warn("cannot read {}: {}", file, e.toString());
            return List.of();
        }
    }

    private static void replace(Path file, String text) {
        try {
            DataDirectory.replace(file, text);
        } catch (IOException e) {
            log.warn("cannot write {}: {}", file, e.toString());
        }
    }
}
