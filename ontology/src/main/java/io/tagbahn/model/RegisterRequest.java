// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An instance and the tags that it is to be found under.
 *
 * @param tags without the service name, which is always registered as well
 * @param lease how long the registration lives without a heartbeat; the registry may clamp it, and chooses where absent
 * @param generation orders the registrations of one instance, 1 or more; the registry chooses where absent
 */
public record RegisterRequest(
        Instance instance, List<Tag> tags, Optional<Duration> lease, RegisterMode mode, OptionalLong generation) {

    /** @throws InvalidArgument where the generation is below 1 */
    public RegisterRequest {
        if (generation.isPresent() && generation.getAsLong() < 1) {
            throw new InvalidArgument("generation", generation.getAsLong() + " is not within 1..");
        }
        tags = List.copyOf(tags);
    }
}
