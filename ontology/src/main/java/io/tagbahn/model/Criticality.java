// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** How much a call matters when not all can be served; the first is shed first. */
public enum Criticality {
    SHEDDABLE,
    NORMAL,
    CRITICAL
}
