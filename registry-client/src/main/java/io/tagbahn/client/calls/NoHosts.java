// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

/** No host is known that takes calls. */
public final class NoHosts extends CallFailure {

    NoHosts(String message) {
        super(message, null);
    }
}
