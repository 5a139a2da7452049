// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

/**
 * What one message may hold.
 *
 * @param frameBytesMax bytes of the message, without the four of its length
 * @param stringBytesMax bytes of one string or binary value
 * @param containerEntriesMax entries of all lists, sets and maps of the message together
 * @param depthMax structs and containers inside each other; the arguments are the first
 */
record MessageLimits(int frameBytesMax, int stringBytesMax, int containerEntriesMax, int depthMax) {}
