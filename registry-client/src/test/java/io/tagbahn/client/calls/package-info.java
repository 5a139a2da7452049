// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.client.calls;

import org.jspecify.annotations.NullMarked;
