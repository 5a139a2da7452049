// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.model.Instance;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.Tag;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Registrations as they are sent. */
final class Requests {

    private Requests() {}

    /** A whole one, newer than those before. */
    static RegisterRequest replace(Instance instance, List<Tag> tags, Duration lease) {
        return new RegisterRequest(
                instance, tags, Optional.of(lease), RegisterMode.REPLACE, OptionalLong.of(System.currentTimeMillis()));
    }
}
