// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import io.tagbahn.bench.WireCall;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.rpc.RpcClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What a load finds registered: as many tags as asked for, a hundred to an instance, each instance a service of its own.
 *
 * @param tags how many
 * @param generation of all registrations
 */
record Catalogue(int tags, long generation) {

    private static final int TAGS_PER_INSTANCE = 100;
    private static final int CALLS_AT_ONCE = 16;

    Catalogue {
        if (tags < 1) {
            throw new IllegalArgumentException("tags " + tags);
        }
    }

    int instances() {
        return (tags + TAGS_PER_INSTANCE - 1) / TAGS_PER_INSTANCE;
    }

    static String tag(int index) {
        return "<http://example.org/load/works#Work" + index + "> <http://example.org/load/works#hasGenre>"
                + " <http://example.org/load/genres#Genre" + index % 97 + ">";
    }

    static ServiceName service(int index) {
        return new ServiceName("load-" + index);
    }

    static HostPort address(int index) {
        return HostPort.parse(
                "10." + (1 + index / 62_500) + "." + index / 250 % 250 + "." + (1 + index % 250) + ":8080");
    }

    void register(RpcClient client) {
        inParts(index -> {
            List<Tag> some = new ArrayList<>();
            for (int i = index * TAGS_PER_INSTANCE; i < Math.min(tags, (index + 1) * TAGS_PER_INSTANCE); i++) {
                some.add(Tag.parse(tag(i)));
            }
            return WireCall.register(service(index), address(index), some, RegisterMode.REPLACE, generation)
                    .on(client);
        });
    }

    void deregister(RpcClient client) {
        inParts(index -> WireCall.deregister(service(index), address(index)).on(client));
    }

    private interface Part {
        CompletableFuture<?> send(int index);
    }

    private void inParts(Part part) {
        for (int from = 0; from < instances(); from += CALLS_AT_ONCE) {
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int index = from; index < Math.min(instances(), from + CALLS_AT_ONCE); index++) {
                calls.add(part.send(index));
            }
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
        }
    }
}
