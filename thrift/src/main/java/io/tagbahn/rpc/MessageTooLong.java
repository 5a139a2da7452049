// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import org.apache.thrift.protocol.TProtocolException;

/** A message that would be longer than the frame limit allows, noticed while it is written. */
final class MessageTooLong extends TProtocolException {

    MessageTooLong(int bytesMax) {
        super(SIZE_LIMIT, "message of more than " + bytesMax + " bytes");
    }
}
