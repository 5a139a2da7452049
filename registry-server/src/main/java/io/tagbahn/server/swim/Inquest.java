// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The asking of members whether they have held this node dead, where somebody says so.
 *
 * <p>That one was held dead, and so left out for a while, costs much to make good, and a datagram that says so may be
 * forged. What a member says of itself counts, on a stream that was opened to where it is known to be.
 */
final class Inquest {

    /** Members that wait to be asked. */
    private static final int WAITING_MAX = 16;

    private static final int CONCURRENT_MAX = 4;
    private static final int FAILURES_MAX = 6;

    /** The least time between two questions to one member. */
    private static final Duration APART = Duration.ofMillis(250);

    private final Self self;
    private final MemberTable table;
    private final Outbox outbox;
    private final String cluster;
    private final long timeoutNanos;
    private final Map<String, Question> questions = new LinkedHashMap<>();

    private static final class Question {
        /** Whether there is something to ask. */
        boolean due = true;
        /** 0 where it isn't being asked. */
        long stream;
        /** When the answer has to be there, or the next question may be asked. */
        long atNanos;

        int failures;
    }

    Inquest(SwimConfig config, Self self, MemberTable table, Outbox outbox) {
        this.cluster = config.cluster();
        this.timeoutNanos = config.exchange().timeout().toNanos();
        this.self = self;
        this.table = table;
        this.outbox = outbox;
    }

    /** Has a member asked; those that this node doesn't hold alive are not. */
    void ask(String member) {
        if (table.get(member).filter(MemberEntry::live).isEmpty()) {
            return;
        }
        Question known = questions.get(member);
        if (known != null) {
            known.due = true;
        } else if (questions.size() < WAITING_MAX) {
            questions.put(member, new Question());
        }
    }

    void tick(long nowNanos) {
        Iterator<Map.Entry<String, Question>> all = questions.entrySet().iterator();
        List<Long> over = new ArrayList<>();
        while (all.hasNext()) {
            Map.Entry<String, Question> entry = all.next();
            Question question = entry.getValue();
            if (question.atNanos > nowNanos) {
                continue;
            }
            if (question.stream != 0) {
                over.add(question.stream);
            } else if (!question.due) {
                all.remove();
            } else if (underWay() < CONCURRENT_MAX) {
                MemberEntry member = table.get(entry.getKey()).orElse(null);
                if (member == null || !member.live()) {
                    all.remove();
                } else {
                    open(question, member, nowNanos);
                }
            }
        }
        for (long stream : over) {
            outbox.add(new Effect.CloseStream(stream));
            failed(stream, nowNanos);
        }
    }

    private long underWay() {
        return questions.values().stream()
                .filter(question -> question.stream != 0)
                .count();
    }

    private void open(Question question, MemberEntry member, long nowNanos) {
        question.due = false;
        question.stream = outbox.open(member.address(), new StreamMessage.DeathQuestion(cluster, self.id()));
        question.atNanos = nowNanos + timeoutNanos;
    }

    /** Whether the stream is one of ours. */
    boolean isAsked(long stream) {
        return stream != 0 && questions.values().stream().anyMatch(question -> question.stream == stream);
    }

    /** Up to which incarnation the member says that it has held this node dead; empty where it never has. */
    OptionalLong answered(long stream, StreamMessage reply, long nowNanos) {
        outbox.add(new Effect.CloseStream(stream));
        if (!(reply instanceof StreamMessage.DeathAnswer answer)) {
            failed(stream, nowNanos);
            return OptionalLong.empty();
        }
        for (Question question : questions.values()) {
            if (question.stream == stream) {
                question.stream = 0;
                question.failures = 0;
                question.atNanos = nowNanos + APART.toNanos();
            }
        }
        return answer.incarnation();
    }

    /** Whether the stream was one of ours. */
    boolean failed(long stream, long nowNanos) {
        for (Question question : questions.values()) {
            if (stream != 0 && question.stream == stream) {
                question.stream = 0;
                question.failures = Math.min(FAILURES_MAX, question.failures + 1);
                question.due |= question.failures < FAILURES_MAX;
                question.atNanos = nowNanos + (APART.toNanos() << question.failures);
                return true;
            }
        }
        return false;
    }

    long nextNanos() {
        long next = Long.MAX_VALUE;
        boolean room = underWay() < CONCURRENT_MAX;
        for (Question question : questions.values()) {
            if (room || question.stream != 0) {
                next = Math.min(next, question.atNanos);
            }
        }
        return next;
    }
}
