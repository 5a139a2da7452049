// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** What the other nodes think of a member. */
public enum MemberState {
    JOINING,
    ALIVE,
    SUSPECT,
    DEAD,
    LEFT
}
