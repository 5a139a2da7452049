// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** How an advertised term relates to the requested one; a statement's degree is its weakest position. Best first. */
public enum Degree {
    /** The same, or equivalent. */
    EXACT,
    /** The advertised term is narrower ("subsumes" in the literature). */
    SPECIALISES,
    /** The advertised term is broader ("plug-in"). */
    GENERALISES,
    /** One position of a statement is narrower, another broader. */
    OVERLAP
}
