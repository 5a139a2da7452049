// SPDX-License-Identifier: Apache-2.0
/**
 * The library that services embed: registers and keeps the lease, and discovers by name and by tags.
 *
 * <p>{@link io.tagbahn.client.RegistryClient} is the way in.
 */
@NullMarked
package io.tagbahn.client;

import org.jspecify.annotations.NullMarked;
