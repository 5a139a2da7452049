// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;

/** A node that can be asked what it sees. */
interface Watchable {

    String id();

    /** A client that knows this node only and repeats nothing. */
    RegistryClient client();
}
