// SPDX-License-Identifier: Apache-2.0
/**
 * The library that services embed: registers and keeps the lease, and discovers by name, by tags and by meaning.
 *
 * <p>{@link io.tagbahn.client.RegistryClient} is the way in. {@link io.tagbahn.client.SemanticIndex} infers in the client,
 * and is the only part that needs Jena on the class path.
 */
@NullMarked
package io.tagbahn.client;

import org.jspecify.annotations.NullMarked;
