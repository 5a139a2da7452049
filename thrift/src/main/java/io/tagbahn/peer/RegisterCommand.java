// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.Instance;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.Tag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A registration as nodes carry it out: its tags are read once, by the node that took the call.
 *
 * @param tags in their canonical spellings and in the order of {@link Tag#SPELLING_ORDER}, each once
 */
public record RegisterCommand(
        Instance instance, List<String> tags, Optional<Duration> lease, RegisterMode mode, OptionalLong generation) {

    public static RegisterCommand of(RegisterRequest request) {
        List<String> all = new ArrayList<>(request.tags().size());
        for (Tag tag : request.tags()) {
            all.add(tag.spelling());
        }
        all.sort(Tag.SPELLING_ORDER);
        List<String> tags = new ArrayList<>(all.size());
        for (String tag : all) {
            if (tags.isEmpty() || !tags.get(tags.size() - 1).equals(tag)) {
                tags.add(tag);
            }
        }
        return new RegisterCommand(request.instance(), tags, request.lease(), request.mode(), request.generation());
    }

    /** The same of another generation; the home chooses one where it is absent. */
    public RegisterCommand withGeneration(OptionalLong newGeneration) {
        return new RegisterCommand(instance, tags, lease, mode, newGeneration);
    }
}
