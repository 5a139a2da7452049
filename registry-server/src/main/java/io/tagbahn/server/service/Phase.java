// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

/** Whether a node answers. */
public enum Phase {
    /** It is being put together: it says so, and answers nothing but its status. */
    STARTING,
    READY,
    /** It is on its way out: it says so, and answers nothing but its status. */
    STOPPING
}
