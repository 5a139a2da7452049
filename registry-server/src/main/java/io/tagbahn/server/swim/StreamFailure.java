// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** Why a stream came to nothing. */
public enum StreamFailure {
    /** The host answered that nobody listens there: the process has ended. A slow or stopped process does not do this. */
    REFUSED,
    /** No answer in time, no way there, or closed without a reply. */
    OTHER
}
