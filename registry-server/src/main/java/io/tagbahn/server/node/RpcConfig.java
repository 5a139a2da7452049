// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.rpc.RpcLimits;

/**
 * How a node speaks Thrift.
 *
 * @param threads event loops; 0 takes one for each processor, {@value #LOOPS_MAX} at most
 */
public record RpcConfig(int threads, RpcLimits limits) {

    private static final int LOOPS_MAX = 16;

    /** Event loops on a machine of this size. */
    int loops(int processors) {
        return threads == 0 ? Math.min(LOOPS_MAX, processors) : threads;
    }

    static RpcConfig of(Settings settings) {
        return new RpcConfig(
                settings.count("rpc.threads"),
                new RpcLimits(
                        settings.count("rpc.frame-bytes"),
                        settings.count("rpc.string-bytes"),
                        settings.count("rpc.container-entries"),
                        settings.count("rpc.depth"),
                        settings.count("rpc.connections"),
                        settings.count("rpc.calls-per-connection"),
                        settings.count("rpc.calls"),
                        settings.number("rpc.inbound-bytes"),
                        settings.count("rpc.outbound-bytes"),
                        settings.duration("rpc.first-frame-timeout"),
                        settings.duration("rpc.stalled-frame-timeout"),
                        settings.duration("rpc.idle-timeout")));
    }
}
