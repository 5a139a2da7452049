// SPDX-License-Identifier: Apache-2.0
'use strict';

// A connection to a Tagbahn node, on the stock Thrift library and the generated code in ./gen
// (or wherever TAGBAHN_GEN points).

const path = require('node:path');
const thrift = require('thrift');

const gen = process.env.TAGBAHN_GEN || path.join(__dirname, 'gen');
const Registry = require(path.join(gen, 'Registry.js'));
const types = require(path.join(gen, 'tagbahn_types.js'));

/**
 * Connects to one node.
 *
 * A pending call of the stock library never settles when the connection closes, and has no time-out of its own:
 * call() gives it both.
 *
 * @param {{host?: string, port?: number, framed?: boolean, compact?: boolean, timeoutMillis?: number}} options
 */
function connect(options = {}) {
  const { host = '127.0.0.1', port = 21300, framed = true, compact = false, timeoutMillis = 5000 } = options;
  const connection = thrift.createConnection(host, port, {
    transport: framed ? thrift.TFramedTransport : thrift.TBufferedTransport,
    protocol: compact ? thrift.TCompactProtocol : thrift.TBinaryProtocol,
    connect_timeout: timeoutMillis,
  });
  const client = thrift.createClient(Registry, connection);
  const pending = new Set();
  const failAll = (error) => {
    for (const reject of pending) {
      reject(error);
    }
    pending.clear();
  };
  connection.on('error', failAll);
  connection.on('timeout', () => failAll(new Error(`no connection to ${host}:${port}`)));
  connection.on('close', () => failAll(new Error(`the connection to ${host}:${port} was closed`)));

  return {
    types,
    /** Calls a method of the IDL: call('tagDiscover', new types.TagDiscoveryQuery({...})). */
    call(method, ...args) {
      return new Promise((resolve, reject) => {
        pending.add(reject);
        const timer = setTimeout(() => settle(reject)(new Error(`${method}: no answer in time`)), timeoutMillis);
        const settle = (end) => (value) => {
          clearTimeout(timer);
          pending.delete(reject);
          end(value);
        };
        client[method](...args).then(settle(resolve), settle(reject));
      });
    },
    close() {
      connection.end();
    },
  };
}

/** The address of a peer: its host name where it has one, else the numbers. */
function address(peer) {
  return `${peer.instance.host}:${peer.port}`;
}

module.exports = { connect, address, types };
