// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;

/**
 * How the connections to the nodes are made; there is one to each, shared by all calls.
 *
 * @param connectTimeout 1 ms to 1 min
 * @param reconnectDelayMin first wait before a broken connection is made again; doubles with each failure
 * @param reconnectDelayMax longest such wait, at most 1 min
 * @param callsPendingMax calls without an answer on one connection; 1..100000
 * @param frameBytesMax longest message, in or out; 1024..268435456
 * @param compact Thrift's compact protocol instead of the binary one
 */
public record ConnectionConfig(
        Duration connectTimeout,
        Duration reconnectDelayMin,
        Duration reconnectDelayMax,
        int callsPendingMax,
        int frameBytesMax,
        boolean compact) {

    private static final Duration MIN = Duration.ofMillis(1);
    private static final Duration MAX = Duration.ofMinutes(1);

    public ConnectionConfig {
        Ranges.check("connection.connectTimeout", connectTimeout, MIN, MAX);
        Ranges.check("connection.reconnectDelayMin", reconnectDelayMin, MIN, MAX);
        Ranges.check("connection.reconnectDelayMax", reconnectDelayMax, reconnectDelayMin, MAX);
        Ranges.check("connection.callsPendingMax", callsPendingMax, 1, 100_000);
        Ranges.check("connection.frameBytesMax", frameBytesMax, 1_024, 268_435_456);
    }

    /** 1 s to connect, 50 ms to 1 s between attempts, 1024 calls pending, frames of 16384000 bytes, binary protocol. */
    public static ConnectionConfig defaults() {
        return new ConnectionConfig(
                Duration.ofSeconds(1), Duration.ofMillis(50), Duration.ofSeconds(1), 1_024, 16_384_000, false);
    }

    public ConnectionConfig withConnectTimeout(Duration newTimeout) {
        return new ConnectionConfig(
                newTimeout, reconnectDelayMin, reconnectDelayMax, callsPendingMax, frameBytesMax, compact);
    }

    public ConnectionConfig withReconnectDelay(Duration newMin, Duration newMax) {
        return new ConnectionConfig(connectTimeout, newMin, newMax, callsPendingMax, frameBytesMax, compact);
    }

    public ConnectionConfig withCompact(boolean newCompact) {
        return new ConnectionConfig(
                connectTimeout, reconnectDelayMin, reconnectDelayMax, callsPendingMax, frameBytesMax, newCompact);
    }
}
