// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import org.apache.jena.http.HttpEnv;
import org.apache.jena.riot.RIOT;
import org.apache.jena.sys.JenaSystem;

/**
 * Jena, started on first use (it takes most of a second) and without a network: in this process its HTTP client
 * refuses whatever part of Jena it is that calls it.
 */
final class Jena {

    /** Refuses every request before a connection is made. */
    static final HttpClient NO_NETWORK =
            HttpClient.newBuilder().proxy(new Refusal()).build();

    static {
        JenaSystem.init();
        RIOT.init();
        HttpEnv.setDftHttpClient(NO_NETWORK);
    }

    private Jena() {}

    /** Does nothing but run the initialiser above, once. */
    static void start() {}

    private static final class Refusal extends ProxySelector {

        @Override
        public List<Proxy> select(URI uri) {
            throw new IllegalArgumentException("nothing is fetched: " + uri);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException e) {
            throw new IllegalStateException("no connection is ever made", e);
        }
    }
}
