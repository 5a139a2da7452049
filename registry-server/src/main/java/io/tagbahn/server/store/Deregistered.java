// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.List;

/**
 * What a deregistration came to.
 *
 * @param known whether the instance was registered here
 * @param generation up to which it is gone; 0 where nothing is known of it and the call named none
 * @param removed the entries that it had, as far as they are known here; sorted
 */
public record Deregistered(boolean known, long generation, List<String> removed) {}
