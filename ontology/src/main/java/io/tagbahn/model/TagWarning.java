// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** Something suspicious about a tag that was registered all the same. */
public record TagWarning(String tag, String message) {}
