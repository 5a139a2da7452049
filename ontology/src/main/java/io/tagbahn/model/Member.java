// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.OptionalDouble;

/**
 * A node as the others see it.
 *
 * @param address where its public API is reached
 * @param ringShare its share of the ring, 0..1
 */
public record Member(
        String id,
        HostPort address,
        MemberState state,
        long incarnation,
        Locality locality,
        OptionalDouble ringShare) {}
