// SPDX-License-Identifier: Apache-2.0
/**
 * The pure cores of the contract under load that calls to the registry and calls to services share: no input or output, no
 * threads, no clock of their own.
 *
 * <p>Not part of the library's API: public only because both {@code io.tagbahn.client} and {@code io.tagbahn.client.calls}
 * are built on it. It knows neither of them.
 */
@NullMarked
package io.tagbahn.client.resilience;

import org.jspecify.annotations.NullMarked;
