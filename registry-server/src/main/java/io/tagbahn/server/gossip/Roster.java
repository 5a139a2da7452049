// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.tagbahn.server.cluster.ClusterMember;
import io.tagbahn.server.cluster.Stage;
import io.tagbahn.server.swim.MemberView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The members as they were last seen, for any thread to read, and what this node says of itself. */
public final class Roster {

    private static final String STAGE = "stage";
    private static final Map<String, Stage> STAGES =
            Arrays.stream(Stage.values()).collect(Collectors.toUnmodifiableMap(Roster::word, Function.identity()));

    private final ClusterMember self;
    private List<ClusterMember> members;
    private Stage stage;

    public Roster(ClusterMember self) {
        this.self = self;
        this.stage = self.stage();
        this.members = List.of(self);
    }

    private static String word(Stage stage) {
        return stage.name().toLowerCase(Locale.ROOT);
    }

    /** What a stage looks like among what a node says of itself. */
    public static Map<String, String> metadata(Stage stage) {
        return Map.of(STAGE, word(stage));
    }

    public synchronized List<ClusterMember> members() {
        return members;
    }

    public synchronized void announce(Stage newStage) {
        stage = newStage;
        members = members.stream()
                .map(member -> member.id().equals(self.id()) ? member.withStage(newStage) : member)
                .toList();
    }

    public synchronized void see(List<MemberView> views) {
        List<ClusterMember> seen = new ArrayList<>(views.size());
        for (MemberView view : views) {
            boolean me = view.id().equals(self.id());
            seen.add(new ClusterMember(
                    view.id(),
                    view.record().api(),
                    view.record().gossip(),
                    view.record().locality(),
                    view.record().weight(),
                    me ? stage : stage(view.record().metadata()),
                    view.state(),
                    view.incarnation()));
        }
        members = List.copyOf(seen);
    }

    /** One that says nothing that we know is not asked for data. */
    private static Stage stage(Map<String, String> metadata) {
        return STAGES.getOrDefault(metadata.getOrDefault(STAGE, ""), Stage.JOINING);
    }
}
