// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** What an accusation rests on. */
enum Evidence {
    /** No answer came: the member, its host, the network or the accuser may be at fault. */
    SILENT,
    /** Moreover its host refused a stream, so that the process has most likely ended. */
    REFUSED
}
