// SPDX-License-Identifier: Apache-2.0
/** What holds of the whole code: directions of dependencies, names, the repository's own form. */
@NullMarked
package io.tagbahn.architecture;

import org.jspecify.annotations.NullMarked;
