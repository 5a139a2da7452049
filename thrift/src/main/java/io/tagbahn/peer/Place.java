// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.InstanceId;
import java.util.Optional;

/**
 * Where a walk over all instances stands: in a bucket, behind an instance.
 *
 * @param after absent at the beginning of the bucket
 */
public record Place(int bucket, Optional<InstanceId> after) {

    public static final Place START = new Place(0, Optional.empty());
}
