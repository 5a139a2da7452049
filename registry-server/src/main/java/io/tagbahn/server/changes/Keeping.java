// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.changes;

/**
 * How much of its changes a node keeps for those who follow them, while there are any.
 *
 * @param changesMax of the newest; readers that are further behind begin anew
 * @param bytesMax of memory that these take
 * @param readCharsMax characters of entries after which an answer ends
 */
public record Keeping(int changesMax, long bytesMax, int readCharsMax) {

    /** A large part of a message, with room for the slowest spelling of a character and for what is beside the entries. */
    private static final int ANSWER_BYTES_PER_CHAR = 8;

    public Keeping {
        atLeastOne("changesMax", changesMax);
        atLeastOne("bytesMax", bytesMax);
        atLeastOne("readCharsMax", readCharsMax);
    }

    /** @param answerBytesMax bytes of an answer */
    public static Keeping of(int changesMax, long bytesMax, int answerBytesMax) {
        return new Keeping(changesMax, bytesMax, Math.max(1, answerBytesMax / ANSWER_BYTES_PER_CHAR));
    }

    private static void atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " " + value + " < 1");
        }
    }
}
