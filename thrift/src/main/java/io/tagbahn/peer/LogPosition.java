// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

/**
 * How far a reader has come in a log of changes.
 *
 * @param epoch of the log: another one after a restart
 * @param next the number of the first change that was not read
 */
public record LogPosition(long epoch, long next) {}
