# SPDX-License-Identifier: Apache-2.0
"""Registers a service under two tags, keeps its lease for a moment, finds it, and leaves.

    ./tagbahn serve &          a node on 127.0.0.1:21300
    mkdir -p gen && thrift -r --gen py -out gen ../../src/main/thrift/registry.thrift
    python3 example.py
"""

import os

from registry import Connection, types

HOST, PORT = os.environ.get("TAGBAHN_REGISTRY", "127.0.0.1:21300").rsplit(":", 1)
BOOK = "http://example.org/obras#Livro"
HORROR_BOOK = f"<{BOOK}> <http://example.org/obras#temUmGenero> <http://example.org/obras#Terror>"

with Connection(HOST, int(PORT)) as registry:
    grant = registry.register(
        types.RegisterQuery(
            instance=types.Instance(serviceName="bookshop", host="10.0.0.5", port=8080),
            serviceTags=[BOOK, HORROR_BOOK],
            leaseMillis=30000,
        )
    )
    lease = types.LeaseRef(instanceId=grant.instanceId, generation=grant.generation)
    print(f"registered {grant.instanceId}, a heartbeat every {grant.heartbeatMillis} ms")

    beat = registry.heartbeat(types.HeartbeatQuery(leases=[lease]))
    print("lease lost: register again" if beat.unknown else "lease renewed")

    found = registry.tagDiscover(types.TagDiscoveryQuery(serviceTags=[HORROR_BOOK]))
    for tag, peers in found.peers.items():
        print(tag, "at", ", ".join(f"{peer.instance.host}:{peer.port}" for peer in peers))

    registry.deregister(types.DeregisterQuery(lease=lease))
    print("deregistered")
