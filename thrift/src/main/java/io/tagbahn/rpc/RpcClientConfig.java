// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.time.Duration;

/**
 * How a client connects, and what it allows.
 *
 * @param connections how many are opened to the address; calls take turns
 * @param connectTimeout for one attempt to connect
 * @param reconnectDelayMin bound of the random delay after the first failed attempt; it doubles with each further one
 * @param reconnectDelayMax bound of the random delay after many
 * @param whileDisconnected what becomes of calls when there is no connection
 * @param callsPendingMax calls begun and not ended; more are refused
 * @param frameBytesMax bytes of one message, in or out
 * @param stringBytesMax bytes of one string or binary value that comes in
 * @param containerEntriesMax entries of all lists, sets and maps of one message that comes in
 * @param depthMax structs and containers inside each other in one message that comes in
 * @param outboundBytesMax requests that a connection has not taken yet; above it, calls wait
 * @param compact whether messages are in the compact protocol, or else binary
 * @param framed whether messages are in frames
 */
public record RpcClientConfig(
        int connections,
        Duration connectTimeout,
        Duration reconnectDelayMin,
        Duration reconnectDelayMax,
        WhileDisconnected whileDisconnected,
        int callsPendingMax,
        int frameBytesMax,
        int stringBytesMax,
        int containerEntriesMax,
        int depthMax,
        int outboundBytesMax,
        boolean compact,
        boolean framed) {

    /** What becomes of calls when there is no connection. */
    public enum WhileDisconnected {
        /** They wait for one until their deadline. */
        WAIT,
        /** They wait for an attempt that is under way, and fail with it; between attempts they fail at once. */
        FAIL
    }

    public RpcClientConfig {
        RpcLimits.check("connections", connections, 1, 256);
        RpcLimits.check("connectTimeout", connectTimeout);
        RpcLimits.check("reconnectDelayMin", reconnectDelayMin);
        RpcLimits.check("reconnectDelayMax", reconnectDelayMax);
        if (reconnectDelayMin.compareTo(reconnectDelayMax) > 0) {
            throw new IllegalArgumentException(
                    "reconnectDelayMin " + reconnectDelayMin + " > reconnectDelayMax " + reconnectDelayMax);
        }
        RpcLimits.check("callsPendingMax", callsPendingMax, 1, 1 << 24);
        RpcLimits.check("frameBytesMax", frameBytesMax, 64, RpcLimits.FRAME_BYTES_MAX);
        RpcLimits.check("stringBytesMax", stringBytesMax, 1, RpcLimits.FRAME_BYTES_MAX);
        RpcLimits.check("containerEntriesMax", containerEntriesMax, 1, RpcLimits.FRAME_BYTES_MAX);
        RpcLimits.check("depthMax", depthMax, 1, 512);
        RpcLimits.check("outboundBytesMax", outboundBytesMax, 2, 1 << 30);
    }

    public static RpcClientConfig defaults() {
        return new RpcClientConfig(
                1,
                Duration.ofSeconds(2),
                Duration.ofMillis(50),
                Duration.ofSeconds(2),
                WhileDisconnected.WAIT,
                10_000,
                16_384_000,
                16_384_000,
                1_000_000,
                32,
                1 << 20,
                false,
                true);
    }

    WireForm form() {
        return WireForm.of(framed, compact);
    }

    MessageLimits message() {
        return new MessageLimits(frameBytesMax, stringBytesMax, containerEntriesMax, depthMax);
    }

    public RpcClientConfig withConnections(int value) {
        return new RpcClientConfig(
                value,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withConnectTimeout(Duration value) {
        return new RpcClientConfig(
                connections,
                value,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withReconnectDelayMin(Duration value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                value,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withReconnectDelayMax(Duration value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                value,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withWhileDisconnected(WhileDisconnected value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                value,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withCallsPendingMax(int value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                value,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withFrameBytesMax(int value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                value,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withStringBytesMax(int value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                value,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withContainerEntriesMax(int value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                value,
                depthMax,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withDepthMax(int value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                value,
                outboundBytesMax,
                compact,
                framed);
    }

    public RpcClientConfig withOutboundBytesMax(int value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                value,
                compact,
                framed);
    }

    public RpcClientConfig withCompact(boolean value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                value,
                framed);
    }

    public RpcClientConfig withFramed(boolean value) {
        return new RpcClientConfig(
                connections,
                connectTimeout,
                reconnectDelayMin,
                reconnectDelayMax,
                whileDisconnected,
                callsPendingMax,
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                outboundBytesMax,
                compact,
                value);
    }
}
