// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;

/** A server with the methods of {@link TestService}, for one test. */
final class ServerCase implements AutoCloseable {

    final TestService service = new TestService();
    final RpcLoops loops = RpcLoops.start("rpc-test", 2, System::nanoTime);
    final RpcServer server;

    ServerCase(RpcLimits limits) {
        server = RpcServer.start(
                loops, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), service.service(), limits);
    }

    RawClient raw() throws java.io.IOException {
        return new RawClient(server.address());
    }

    RpcClient client(RpcClientConfig config) {
        return RpcClient.create(loops, server.address(), config, new SplittableRandom(1));
    }

    long closes(CloseReason reason) {
        return server.stats().closes(reason);
    }

    @Override
    public void close() {
        server.close();
        loops.close();
    }
}
