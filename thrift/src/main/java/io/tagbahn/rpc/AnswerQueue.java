// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.channel.Channel;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Supplier;
import org.apache.thrift.TSerializable;

/**
 * The answers of one connection on their way out: in the order in which calls complete, and in that of the calls where a
 * sequence id repeats among those in flight.
 *
 * <p>An answer becomes bytes only while the channel takes some: those of many calls that complete at a time, as where all of
 * them waited for the same change, are held as they are until the reader has taken what came before. There are at most as
 * many as calls may be in flight. Lives on the event loop of its connection.
 */
final class AnswerQueue {

    private final Channel channel;
    private final AnswerBatch batch;
    private final Supplier<WireForm> form;
    /** The first call of each sequence id. */
    private final IntObjectHashMap<CallInFlight> inFlight = new IntObjectHashMap<>(4);
    /** What is answered and not written yet; it goes out in this order, and before everything else. */
    private final Queue<CallInFlight> held = new ArrayDeque<>();

    /** @param form of the connection, once an answer is written */
    AnswerQueue(Channel channel, AnswerBatch batch, Supplier<WireForm> form) {
        this.channel = channel;
        this.batch = batch;
        this.form = form;
    }

    /** Whether all answers are on their way. */
    boolean isEmpty() {
        return held.isEmpty() && batch.isEmpty();
    }

    /** Answers that wait for the channel to take them. */
    int held() {
        return held.size();
    }

    /** Keeps the place of a call that was begun and has no answer yet. */
    void enqueue(CallInFlight call) {
        if (call.oneway) {
            return;
        }
        CallInFlight first = inFlight.get(call.sequenceId);
        if (first == null) {
            inFlight.put(call.sequenceId, call);
        } else {
            first.last.next = call;
            first.last = call;
        }
    }

    /** Answers a call that was begun just now. */
    void finish(CallInFlight call, TSerializable reply) {
        if (call.oneway) {
            return;
        }
        call.reply = reply;
        CallInFlight first = inFlight.isEmpty() ? null : inFlight.get(call.sequenceId);
        if (first == null) {
            write(call);
        } else {
            first.last.next = call;
            first.last = call;
        }
    }

    /** Writes what is complete at the front of the calls with the sequence id of this one. */
    void advance(CallInFlight call) {
        if (call.oneway || inFlight.get(call.sequenceId) != call) {
            return;
        }
        CallInFlight front = call;
        CallInFlight last = call.last;
        while (front != null) {
            if (front.reply == null) {
                front.last = last;
                inFlight.put(front.sequenceId, front);
                return;
            }
            CallInFlight next = front.next;
            write(front);
            front = next;
        }
        inFlight.remove(call.sequenceId);
    }

    private void write(CallInFlight call) {
        call.next = null;
        if (held.isEmpty() && channel.isWritable()) {
            batch.add(call, Objects.requireNonNull(call.reply), form.get());
        } else {
            held.add(call);
        }
    }

    /** Writes what was held, as far as the channel takes it. */
    void resume() {
        while (!held.isEmpty() && channel.isWritable()) {
            CallInFlight call = held.remove();
            batch.add(call, Objects.requireNonNull(call.reply), form.get());
        }
    }

    void clear() {
        inFlight.clear();
        held.clear();
        batch.release();
    }
}
