# SPDX-License-Identifier: Apache-2.0
"""The wire API through the stock library, in all four forms, against the node at TAGBAHN_REGISTRY.

At TAGBAHN_ERRORS a server answers `discover` with the error that the name asks for: those that a healthy node does not
give.
"""

import itertools
import os
import unittest

from registry import Connection, types

HOST, PORT = os.environ["TAGBAHN_REGISTRY"].rsplit(":", 1)
ERRORS_HOST, ERRORS_PORT = os.environ["TAGBAHN_ERRORS"].rsplit(":", 1)
FORMS = [{"framed": framed, "compact": compact} for framed in (True, False) for compact in (False, True)]
SERIAL = itertools.count(1)


def unique(kind):
    return f"python-{kind}-{os.getpid()}-{next(SERIAL)}"


def registration(name, tags, **more):
    instance = types.Instance(serviceName=name, host="10.1.2.3", port=8080, metadata={"version": "1"})
    return types.RegisterQuery(instance=instance, serviceTags=tags, leaseMillis=30000, **more)


class RegistryTest(unittest.TestCase):
    def test_an_instance_is_registered_kept_found_and_taken_away(self):
        for form in FORMS:
            with self.subTest(**form), Connection(HOST, int(PORT), **form) as registry:
                name = unique("life")
                tags = [f"http://example.org/{name}#Livro", f'<http://example.org/{name}#s> <http://example.org/p> "ação"']
                grant = registry.register(registration(name, tags))
                self.assertEqual(f"{name}/10.1.2.3:8080", grant.instanceId)
                self.assertEqual(30000, grant.leaseMillis)

                lease = types.LeaseRef(instanceId=grant.instanceId, generation=grant.generation)
                self.assertEqual([], registry.heartbeat(types.HeartbeatQuery(leases=[lease])).unknown)

                found = registry.tagDiscover(types.TagDiscoveryQuery(serviceTags=tags + ["absent"]))
                self.assertEqual(set(tags), set(found.peers))
                peer = found.peers[tags[1]][0]
                self.assertEqual((0x0A010203, 8080), (peer.ip.ipv4, peer.port))
                self.assertEqual({"version": "1"}, peer.instance.metadata)

                names = registry.serviceNames(types.ServiceNamesQuery(prefix=name))
                self.assertEqual([name], names.serviceNames)

                registry.deregister(types.DeregisterQuery(lease=lease))
                self.assertEqual(1, len(registry.heartbeat(types.HeartbeatQuery(leases=[lease])).unknown))

    def test_each_error_arrives_as_its_own_type(self):
        for form in FORMS:
            with self.subTest(**form), Connection(HOST, int(PORT), **form) as registry:
                name = unique("errors")
                with self.assertRaises(types.InvalidArgument) as caught:
                    registry.register(registration(name, ["http://ok.example/", "<relative>"]))
                self.assertEqual("serviceTags[1]", caught.exception.field)
                with self.assertRaises(types.InvalidServiceName):
                    registry.register(registration("", []))
                with self.assertRaises(types.NoPeersAvailable) as caught:
                    registry.discover(types.DiscoveryQuery(serviceName=name))
                self.assertEqual(name, caught.exception.serviceName)
                with self.assertRaises(types.NotFound):
                    registry.setStatus(types.StatusQuery(instanceId=name, status=types.InstanceStatus.DRAINING))
                registry.register(registration(name, [], generation=5))
                with self.assertRaises(types.StaleGeneration) as caught:
                    registry.register(registration(name, [], generation=4))
                self.assertEqual(5, caught.exception.current)

    def test_the_errors_of_a_node_in_trouble_arrive_as_their_own_types(self):
        for form in FORMS:
            with self.subTest(**form), Connection(ERRORS_HOST, int(ERRORS_PORT), **form) as registry:
                with self.assertRaises(types.NotReady) as caught:
                    registry.discover(types.DiscoveryQuery(serviceName="NotReady"))
                self.assertEqual(250, caught.exception.retryAfterMillis)
                with self.assertRaises(types.Overloaded) as caught:
                    registry.discover(types.DiscoveryQuery(serviceName="Overloaded"))
                self.assertEqual((types.Signal.RETRY_AFTER, 250), (caught.exception.signal, caught.exception.retryAfterMillis))
                with self.assertRaises(types.Unauthorized):
                    registry.discover(types.DiscoveryQuery(serviceName="Unauthorized"))


if __name__ == "__main__":
    unittest.main()
