// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.Criticality;

/** Generated structs for tests. */
final class Contexts {

    private Contexts() {}

    static CallContext full() {
        CallContext context = new CallContext();
        context.setDeadlineMillis(-123_456_789_012L);
        context.setCriticality(Criticality.CRITICAL);
        context.setCaller("a caller");
        context.setTraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        context.setToken("\uD83D\uDE00");
        context.setAttempt(3);
        return context;
    }
}
