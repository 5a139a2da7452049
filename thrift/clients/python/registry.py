# SPDX-License-Identifier: Apache-2.0
"""A connection to a Tagbahn node, on the stock Thrift library and the generated code in ./gen."""

import os
import sys

sys.path.insert(0, os.environ.get("TAGBAHN_GEN", os.path.join(os.path.dirname(os.path.abspath(__file__)), "gen")))

from tagbahn import ttypes as types  # noqa: E402
from tagbahn_registry import Registry  # noqa: E402
from thrift.protocol import TBinaryProtocol, TCompactProtocol  # noqa: E402
from thrift.transport import TSocket, TTransport  # noqa: E402


class Connection:
    """One connection to one node: `with Connection("127.0.0.1", 21300) as registry: registry.status(None)`.

    It carries one call at a time: give each thread its own. A call that fails with a socket error or a time-out leaves
    the stream in an unknown state: close the connection and open a new one.
    """

    def __init__(self, host="127.0.0.1", port=21300, framed=True, compact=False, timeout_millis=5000):
        socket = TSocket.TSocket(host, port)
        socket.setTimeout(timeout_millis)
        self._transport = TTransport.TFramedTransport(socket) if framed else TTransport.TBufferedTransport(socket)
        # Without a limit, a broken length would be believed.
        protocol = (
            TCompactProtocol.TCompactProtocol(self._transport, string_length_limit=16384000, container_length_limit=1000000)
            if compact
            else TBinaryProtocol.TBinaryProtocol(self._transport, string_length_limit=16384000, container_length_limit=1000000)
        )
        self._client = Registry.Client(protocol)

    def __enter__(self):
        self._transport.open()
        return self._client

    def __exit__(self, *_):
        self._transport.close()
