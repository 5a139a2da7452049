// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import java.util.Arrays;
import java.util.Optional;

/** What a load asks for. */
public enum Operation {
    /** The live instances under some tags. */
    TAG_DISCOVER("tagDiscover"),
    /** The live instances of a service. */
    DISCOVER("discover"),
    /** An instance under some tags; one that was there before is replaced. */
    REGISTER("register"),
    /** The lease of an instance, renewed. */
    HEARTBEAT("heartbeat"),
    /** The first page of all entries. */
    SERVICE_NAMES("serviceNames");

    private final String method;

    Operation(String method) {
        this.method = method;
    }

    /** As the wire API calls it. */
    public String method() {
        return method;
    }

    public static Optional<Operation> named(String method) {
        return Arrays.stream(values())
                .filter(each -> each.method.equals(method))
                .findFirst();
    }
}
