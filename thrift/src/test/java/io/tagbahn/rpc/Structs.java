// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.HeartbeatQuery;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.IpAddress;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.Locality;
import io.tagbahn.thrift.MemberInfo;
import io.tagbahn.thrift.MemberState;
import io.tagbahn.thrift.RegisterMode;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.thrift.TagDiscoveryResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.thrift.TBase;

/** Generated structs that use every type of the protocols between them. */
final class Structs {

    private Structs() {}

    static List<TBase<?, ?>> all() {
        List<TBase<?, ?>> all = new ArrayList<>();
        all.add(new Discovery.owners_args("tag é\uD83D\uDE00", Contexts.full()));
        all.add(new Discovery.advertise_args(register()));
        all.add(new Discovery.heartbeat_args(heartbeat()));
        all.add(new Discovery.tagDiscover_args(
                new TagDiscoveryQuery(List.of("", "a", "x".repeat(200), "é".repeat(4_000), "x".repeat(20_000)))));
        all.add(members());
        all.add(tagDiscover());
        return all;
    }

    private static RegisterQuery register() {
        Instance instance = new Instance("service", "host", 65_535);
        instance.setNamedPorts(new TreeMap<>(Map.of("http", 80, "x", -1)));
        Locality locality = new Locality();
        locality.setZone("zone");
        instance.setLocality(locality);
        instance.setMetadata(new TreeMap<>());
        RegisterQuery query = new RegisterQuery(instance, List.of("a", "b"));
        query.setLeaseMillis(Long.MIN_VALUE);
        query.setGeneration(Long.MAX_VALUE);
        query.setMode(RegisterMode.ADD);
        query.setContext(Contexts.full());
        return query;
    }

    private static HeartbeatQuery heartbeat() {
        List<LeaseRef> leases = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            leases.add(new LeaseRef("id" + i, 1L << i));
        }
        return new HeartbeatQuery(leases);
    }

    private static Discovery.members_result members() {
        MemberInfo member = new MemberInfo("id", "127.0.0.1:1", MemberState.SUSPECT, 300);
        member.setRingShare(0.1);
        Discovery.members_result result = new Discovery.members_result();
        result.setSuccess(List.of(member));
        return result;
    }

    private static Discovery.tagDiscover_result tagDiscover() {
        ServicePeer six = new ServicePeer(IpAddress.ipv6(new byte[] {1, 2, 3, -4}), 7);
        ServicePeer four = new ServicePeer(IpAddress.ipv4(2_130_706_433), 80);
        four.setInstance(new Instance("s", "h", 1));
        TagDiscoveryResult peers =
                new TagDiscoveryResult(new TreeMap<>(Map.of("none", List.of(), "some", List.of(six, four))));
        peers.setDegraded(true);
        Discovery.tagDiscover_result result = new Discovery.tagDiscover_result();
        result.setSuccess(peers);
        return result;
    }

    @SuppressWarnings("unchecked")
    static <T extends TBase<?, ?>> T empty(T struct) {
        T copy = (T) struct.deepCopy();
        copy.clear();
        return copy;
    }
}
