// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.Instance;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.TagPeers;
import io.tagbahn.thrift.ServiceNamesResult;
import io.tagbahn.thrift.TagDiscoveryResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answers of discovery as a client reads them from the wire, and pages of names both ways. */
public final class WireDiscovery {

    private WireDiscovery() {}

    public static TagPeers fromWire(TagDiscoveryResult wire) {
        Map<String, List<Instance>> instances = new HashMap<>();
        wire.getPeers().forEach((tag, peers) -> instances.put(tag, WireInstance.fromPeers(peers)));
        return new TagPeers(instances, wire.isSetDegraded() && wire.isDegraded());
    }

    public static ServiceNamesResult toWire(NamesPage page) {
        ServiceNamesResult wire = new ServiceNamesResult(page.names());
        page.nextCursor().ifPresent(wire::setNextCursor);
        if (page.degraded()) {
            wire.setDegraded(true);
        }
        return wire;
    }

    public static NamesPage fromWire(ServiceNamesResult wire) {
        return new NamesPage(
                wire.getServiceNames(),
                Optional.ofNullable(wire.getNextCursor()),
                wire.isSetDegraded() && wire.isDegraded());
    }
}
