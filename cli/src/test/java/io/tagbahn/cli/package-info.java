// SPDX-License-Identifier: Apache-2.0
/** Tests of the command line: through its grammar in this process, and as processes of their own. */
@NullMarked
package io.tagbahn.cli;

import org.jspecify.annotations.NullMarked;
