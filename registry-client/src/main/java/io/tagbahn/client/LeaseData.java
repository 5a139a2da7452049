// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Instance;
import io.tagbahn.model.Tag;
import java.util.List;

/** What is registered: an instance, its tags, and the generation that orders this against what was registered before. */
record LeaseData(Instance instance, List<Tag> tags, long generation) {

    LeaseData {
        tags = List.copyOf(tags);
    }

    LeaseData withGeneration(long newGeneration) {
        return new LeaseData(instance, tags, newGeneration);
    }
}
