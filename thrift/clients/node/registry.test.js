// SPDX-License-Identifier: Apache-2.0
'use strict';

// The wire API through the stock library, in all four forms, against the node at TAGBAHN_REGISTRY. At TAGBAHN_ERRORS a
// server answers `discover` with the error that the name asks for: those that a healthy node does not give.

const test = require('node:test');
const assert = require('node:assert');
const { connect, types } = require('./registry.js');

const [host, port] = process.env.TAGBAHN_REGISTRY.split(':');
const [errorsHost, errorsPort] = process.env.TAGBAHN_ERRORS.split(':');
const FORMS = [
  { framed: true, compact: false },
  { framed: true, compact: true },
  { framed: false, compact: false },
  { framed: false, compact: true },
];

let serial = 0;

for (const form of FORMS) {
  const title = `${form.framed ? 'framed' : 'buffered'} ${form.compact ? 'compact' : 'binary'}`;

  test(`${title}: an instance is registered, kept, found and taken away`, async () => {
    await withRegistry(host, port, form, async (registry) => {
      const name = `node-${process.pid}-${++serial}`;
      const tags = [`http://example.org/${name}#Livro`, `<http://example.org/${name}#s> <http://example.org/p> "ação"`];
      const grant = await registry.call('register', registration(name, tags));
      assert.strictEqual(grant.instanceId, `${name}/10.1.2.3:8080`);
      assert.strictEqual(Number(grant.leaseMillis), 30000);

      const lease = new types.LeaseRef({ instanceId: grant.instanceId, generation: grant.generation });
      const beat = await registry.call('heartbeat', new types.HeartbeatQuery({ leases: [lease] }));
      assert.deepStrictEqual(beat.unknown, []);

      const found = await registry.call('tagDiscover', new types.TagDiscoveryQuery({ serviceTags: [...tags, 'absent'] }));
      assert.deepStrictEqual(Object.keys(found.peers).sort(), [...tags].sort());
      const [peer] = found.peers[tags[1]];
      assert.strictEqual(peer.ip.ipv4, 0x0a010203);
      assert.strictEqual(peer.port, 8080);
      assert.strictEqual(peer.instance.metadata.version, '1');

      const names = await registry.call('serviceNames', new types.ServiceNamesQuery({ prefix: name }));
      assert.deepStrictEqual(names.serviceNames, [name]);

      await registry.call('deregister', new types.DeregisterQuery({ lease }));
      const gone = await registry.call('heartbeat', new types.HeartbeatQuery({ leases: [lease] }));
      assert.strictEqual(gone.unknown.length, 1);
    });
  });

  test(`${title}: calls sent together are answered each with its own`, async () => {
    await withRegistry(host, port, form, async (registry) => {
      const names = Array.from({ length: 50 }, () => `pipelined-${process.pid}-${++serial}`);
      const grants = await Promise.all(names.map((name) => registry.call('register', registration(name, []))));
      assert.deepStrictEqual(grants.map((grant) => grant.instanceId), names.map((name) => `${name}/10.1.2.3:8080`));
    });
  });

  test(`${title}: each error arrives as its own type`, async () => {
    await withRegistry(host, port, form, async (registry) => {
      const name = `errors-${process.pid}-${++serial}`;
      await rejects(registry.call('register', registration(name, ['http://ok.example/', '<relative>'])),
        types.InvalidArgument, (error) => error.field === 'serviceTags[1]');
      await rejects(registry.call('register', registration('', [])), types.InvalidServiceName);
      await rejects(registry.call('discover', new types.DiscoveryQuery({ serviceName: name })),
        types.NoPeersAvailable, (error) => error.serviceName === name);
      await rejects(registry.call('setStatus', new types.StatusQuery({ instanceId: name, status: types.InstanceStatus.DRAINING })),
        types.NotFound);
      await registry.call('register', registration(name, [], { generation: 5 }));
      await rejects(registry.call('register', registration(name, [], { generation: 4 })),
        types.StaleGeneration, (error) => Number(error.current) === 5);
    });
    await withRegistry(errorsHost, errorsPort, form, async (registry) => {
      const discover = (serviceName) => registry.call('discover', new types.DiscoveryQuery({ serviceName }));
      await rejects(discover('NotReady'), types.NotReady, (error) => Number(error.retryAfterMillis) === 250);
      await rejects(discover('Overloaded'), types.Overloaded,
        (error) => error.signal === types.Signal.RETRY_AFTER && Number(error.retryAfterMillis) === 250);
      await rejects(discover('Unauthorized'), types.Unauthorized);
    });
  });
}

test('a call fails, and does not hang, when nobody listens', async () => {
  const registry = connect({ host: '127.0.0.1', port: 1, timeoutMillis: 2000 });
  await assert.rejects(registry.call('status', new types.CallContext()));
  registry.close();
});

function registration(serviceName, serviceTags, more = {}) {
  return new types.RegisterQuery({
    instance: new types.Instance({ serviceName, host: '10.1.2.3', port: 8080, metadata: { version: '1' } }),
    serviceTags,
    leaseMillis: 30000,
    ...more,
  });
}

async function withRegistry(toHost, toPort, form, body) {
  const registry = connect({ host: toHost, port: Number(toPort), ...form });
  try {
    await body(registry);
  } finally {
    registry.close();
  }
}

async function rejects(promise, type, check = () => true) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof type, `${type.name} expected, got ${error && error.constructor.name}: ${error && error.message}`);
    assert.ok(check(error), `unexpected content: ${JSON.stringify(error)}`);
    return true;
  });
}
