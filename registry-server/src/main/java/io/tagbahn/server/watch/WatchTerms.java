// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

/**
 * How much a node does for those who wait for changes.
 *
 * @param targetsMax different questions that are watched; more are refused
 * @param bytesMax bytes of memory that these and their answers take; questions beyond it are refused, answers not kept
 * @param readersMax calls that wait; more are refused
 * @param changesMax comings and goings of entries that are kept for readers of the catalogue
 * @param changeBytesMax bytes of memory that these take
 */
public record WatchTerms(int targetsMax, long bytesMax, int readersMax, int changesMax, long changeBytesMax) {

    public WatchTerms {
        atLeastOne("targetsMax", targetsMax);
        atLeastOne("bytesMax", bytesMax);
        atLeastOne("readersMax", readersMax);
        atLeastOne("changesMax", changesMax);
        atLeastOne("changeBytesMax", changeBytesMax);
    }

    public static WatchTerms defaults() {
        return new WatchTerms(20_000, 64 << 20, 50_000, 100_000, 16 << 20);
    }

    private static void atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " " + value + " < 1");
        }
    }
}
