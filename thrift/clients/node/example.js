// SPDX-License-Identifier: Apache-2.0
'use strict';

// Registers a service under two tags, keeps its lease for a moment, finds it, and leaves.
//
//   ./tagbahn serve &          a node on 127.0.0.1:21300
//   npm install && npm run generate && npm run example

const { connect, address, types } = require('./registry.js');

const [host, port] = (process.env.TAGBAHN_REGISTRY || '127.0.0.1:21300').split(':');
const BOOK = 'http://example.org/obras#Livro';
const HORROR_BOOK = `<${BOOK}> <http://example.org/obras#temUmGenero> <http://example.org/obras#Terror>`;

async function main() {
  const registry = connect({ host, port: Number(port) });
  try {
    const grant = await registry.call('register', new types.RegisterQuery({
      instance: new types.Instance({ serviceName: 'bookshop', host: '10.0.0.5', port: 8080 }),
      serviceTags: [BOOK, HORROR_BOOK],
      leaseMillis: 30000,
    }));
    const lease = new types.LeaseRef({ instanceId: grant.instanceId, generation: grant.generation });
    console.log(`registered ${grant.instanceId}, a heartbeat every ${grant.heartbeatMillis} ms`);

    const beat = await registry.call('heartbeat', new types.HeartbeatQuery({ leases: [lease] }));
    console.log(beat.unknown.length === 0 ? 'lease renewed' : 'lease lost: register again');

    const found = await registry.call('tagDiscover', new types.TagDiscoveryQuery({ serviceTags: [HORROR_BOOK] }));
    for (const [tag, peers] of Object.entries(found.peers)) {
      console.log(`${tag} at ${peers.map(address).join(', ')}`);
    }

    await registry.call('deregister', new types.DeregisterQuery({ lease }));
    console.log('deregistered');
  } finally {
    registry.close();
  }
}

main().catch((error) => {
  console.error(error.message || error);
  process.exitCode = 1;
});
