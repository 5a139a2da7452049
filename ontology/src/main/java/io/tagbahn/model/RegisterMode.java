// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** What a registration does with the tags that are there already. */
public enum RegisterMode {
    /** The instance and its tags are from now on as given. */
    REPLACE,
    /** The tags are added; the instance's other fields stay, its lease is renewed. */
    ADD,
    /** The tags are taken away; the instance's other fields stay, its lease is renewed. */
    REMOVE
}
