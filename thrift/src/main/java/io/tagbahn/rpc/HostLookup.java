// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Looks up host names on threads of its own: the system's resolver blocks, for many seconds where a name server doesn't
 * answer, and would hold up every call of the event loop meanwhile.
 */
final class HostLookup extends AddressResolverGroup<InetSocketAddress> {

    /** What the system knows of a name. */
    @FunctionalInterface
    interface Names {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private final Names names;
    private final Executor lookups;

    HostLookup(Names names, Executor lookups) {
        this.names = names;
        this.lookups = lookups;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
        return new InetNameResolver(loop) {
            @Override
            protected void doResolve(String host, Promise<InetAddress> found) {
                lookUp(host, found, addresses -> addresses[0]);
            }

            @Override
            protected void doResolveAll(String host, Promise<List<InetAddress>> found) {
                lookUp(host, found, List::of);
            }
        }.asAddressResolver();
    }

    private interface Choice<T> {
        T of(InetAddress[] addresses);
    }

    private <T> void lookUp(String host, Promise<T> found, Choice<T> choice) {
        try {
            lookups.execute(() -> {
                try {
                    found.trySuccess(choice.of(names.addresses(host)));
                } catch (UnknownHostException e) {
                    found.tryFailure(e);
                }
            });
        } catch (RejectedExecutionException e) {
            found.tryFailure(e);
        }
    }
}
