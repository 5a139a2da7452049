// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which entries to list.
 *
 * @param prefix what they begin with; empty for all
 * @param limit how many at most; as many as a page may hold where absent
 * @param cursor where the page before said that this one begins
 */
public record NamesQuery(String prefix, OptionalInt limit, Optional<String> cursor) {}
