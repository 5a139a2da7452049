// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.time.Duration;

/**
 * What a server allows. All are checked before memory is spent.
 *
 * @param frameBytesMax bytes of one message, in or out
 * @param stringBytesMax bytes of one string or binary value that comes in
 * @param containerEntriesMax entries of all lists, sets and maps of one message that comes in
 * @param depthMax structs and containers inside each other in one message; the arguments are the first
 * @param connectionsMax connections open at once; more are closed as they come
 * @param callsInFlightPerConnectionMax calls begun and not answered; at it, the connection is not read
 * @param callsInFlightMax the same over all connections; at it, connections wait their turn to be read
 * @param inboundBytesMax memory for messages that are not yet whole, over all connections; a connection that would
 *     pass it is closed
 * @param outboundBytesMax answers that one connection has not taken yet; above it, the connection is not read
 * @param firstFrameTimeout from the connection to its first bytes that tell the protocol, and then for the rest of
 *     the first message
 * @param stalledFrameTimeout how long a message on its way, or a reader of answers, may make no headway
 * @param idleTimeout how long a connection with no call in flight is kept
 */
public record RpcLimits(
        int frameBytesMax,
        int stringBytesMax,
        int containerEntriesMax,
        int depthMax,
        int connectionsMax,
        int callsInFlightPerConnectionMax,
        int callsInFlightMax,
        long inboundBytesMax,
        int outboundBytesMax,
        Duration firstFrameTimeout,
        Duration stalledFrameTimeout,
        Duration idleTimeout) {

    /** Largest frame that can be allowed: the first bytes of TLS or HTTP, read as a length, are above it. */
    public static final int FRAME_BYTES_MAX = 256 << 20;

    private static final Duration TIMEOUT_MAX = Duration.ofDays(1);

    public RpcLimits {
        check("frameBytesMax", frameBytesMax, 64, FRAME_BYTES_MAX);
        check("stringBytesMax", stringBytesMax, 1, FRAME_BYTES_MAX);
        check("containerEntriesMax", containerEntriesMax, 1, FRAME_BYTES_MAX);
        check("depthMax", depthMax, 1, 512);
        check("connectionsMax", connectionsMax, 1, 1 << 24);
        check("callsInFlightPerConnectionMax", callsInFlightPerConnectionMax, 1, 1 << 24);
        check("callsInFlightMax", callsInFlightMax, 1, 1 << 24);
        check("inboundBytesMax", inboundBytesMax, 1, Long.MAX_VALUE);
        check("outboundBytesMax", outboundBytesMax, 2, 1 << 30);
        check("firstFrameTimeout", firstFrameTimeout);
        check("stalledFrameTimeout", stalledFrameTimeout);
        check("idleTimeout", idleTimeout);
    }

    public static RpcLimits defaults() {
        return new RpcLimits(
                16_384_000,
                16_384_000,
                1_000_000,
                32,
                10_000,
                1_024,
                65_536,
                256L << 20,
                1 << 20,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(10));
    }

    MessageLimits message() {
        return new MessageLimits(frameBytesMax, stringBytesMax, containerEntriesMax, depthMax);
    }

    static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " " + value + "; " + min + ".." + max + " are allowed");
        }
    }

    static void check(String name, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException(name + " " + value + "; 1 ms to " + TIMEOUT_MAX + " are allowed");
        }
    }

    public RpcLimits withFrameBytesMax(int value) {
        return new RpcLimits(
                value,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withStringBytesMax(int value) {
        return new RpcLimits(
                frameBytesMax,
                value,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withContainerEntriesMax(int value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                value,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withDepthMax(int value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                value,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withConnectionsMax(int value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                value,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withCallsInFlightPerConnectionMax(int value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                value,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withCallsInFlightMax(int value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                value,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withInboundBytesMax(long value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                value,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withOutboundBytesMax(int value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                value,
                firstFrameTimeout,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withFirstFrameTimeout(Duration value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                value,
                stalledFrameTimeout,
                idleTimeout);
    }

    public RpcLimits withStalledFrameTimeout(Duration value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                value,
                idleTimeout);
    }

    public RpcLimits withIdleTimeout(Duration value) {
        return new RpcLimits(
                frameBytesMax,
                stringBytesMax,
                containerEntriesMax,
                depthMax,
                connectionsMax,
                callsInFlightPerConnectionMax,
                callsInFlightMax,
                inboundBytesMax,
                outboundBytesMax,
                firstFrameTimeout,
                stalledFrameTimeout,
                value);
    }
}
