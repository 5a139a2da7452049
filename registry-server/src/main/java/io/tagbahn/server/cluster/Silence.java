// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

/**
 * The judgement whether another node has stopped answering.
 *
 * <p>A call that isn't answered in time while others are says nothing but that the call was slow. One during which
 * nothing whatever came raises a doubt; another such call, sent when the doubt was there already, confirms it. So it
 * takes two full time-outs, one after the other, without a sign of life, however many calls end at once. Any sign of life
 * ends it.
 */
public final class Silence {

    private long signs;
    private boolean doubted;
    private boolean confirmed;

    /** How things stood when a call was sent. */
    public record Sent(long signs, boolean doubted) {}

    /**
     * A call is sent.
     *
     * @param late answers that came too late so far; they are signs of life as well
     */
    public synchronized Sent sent(long late) {
        return new Sent(signs + late, doubted);
    }

    /** Something came from the other node. */
    public synchronized void heard() {
        signs++;
        doubted = false;
        confirmed = false;
    }

    /**
     * A call was not answered in all the time it had.
     *
     * @return whether a doubt has arisen, so that the node should be asked at once
     */
    public synchronized boolean unanswered(Sent sent, long late) {
        if (signs + late != sent.signs()) {
            doubted = false;
            confirmed = false;
            return false;
        }
        confirmed |= doubted && sent.doubted();
        boolean arisen = !doubted;
        doubted = true;
        return arisen;
    }

    public synchronized boolean isConfirmed() {
        return confirmed;
    }
}
