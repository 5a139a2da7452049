// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import io.tagbahn.client.resilience.AdaptiveThrottle;
import io.tagbahn.client.resilience.RetryBudget;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.apache.thrift.TException;

/**
 * Load made by one thread that spends as little as it can on a call, so that it has room for many times what a node can
 * answer: requests are copied, answers hardly looked at. All calls are due at given times, whatever became of others.
 */
final class RawLoad implements AutoCloseable, RawConnection.Answers {

    private static final int CALLS_OPEN_MAX = 1 << 20;
    private static final int MASK = CALLS_OPEN_MAX - 1;
    private static final int ATTEMPTS_MAX = 4;

    private final Selector selector;
    private final List<RawConnection> connections = new ArrayList<>();
    private final Requests telling;
    private final Requests silent;
    private final long deadlineNanos;
    private final LongSupplier ticker;
    private final RandomGenerator random;

    private final long[] dueNanos = new long[CALLS_OPEN_MAX];
    private final int[] slotOf = new int[CALLS_OPEN_MAX];
    /** Attempts that were made, 0 where the call is no longer open. */
    private final byte[] attempts = new byte[CALLS_OPEN_MAX];

    private final PriorityQueue<Again> again = new PriorityQueue<>(Comparator.comparingLong(Again::atNanos));
    private RetryBudget budget;
    private AdaptiveThrottle throttle;
    private Offered offered = new Offered(1);
    private OfferedLoad load = OfferedLoad.closed(Duration.ZERO, 1);
    private int next;
    private int oldest;
    private int turn;
    private long startNanos;
    private long nowNanos;
    private boolean closedLoopRuns;

    /** A call that will be made again. */
    private record Again(long atNanos, int attempt, int slot) {}

    RawLoad(
            List<InetSocketAddress> nodes,
            int connections,
            List<String> tags,
            Duration deadline,
            LongSupplier ticker,
            RandomGenerator random)
            throws IOException, TException {
        this.telling = new Requests(tags, deadline);
        this.silent = new Requests(tags, Duration.ZERO);
        this.deadlineNanos = deadline.toNanos();
        this.ticker = ticker;
        this.random = random;
        this.selector = Selector.open();
        this.budget = RetryBudget.standard(ticker);
        this.throttle = AdaptiveThrottle.standard(ticker, random);
        for (int i = 0; i < connections; i++) {
            RawConnection connection = new RawConnection(nodes.get(i % nodes.size()));
            connection.channel().register(selector, SelectionKey.OP_READ, connection);
            this.connections.add(connection);
        }
    }

    /** Makes a load, and waits for the last call's end. */
    Offered run(OfferedLoad asked) throws IOException {
        load = asked;
        budget = RetryBudget.standard(ticker);
        throttle = AdaptiveThrottle.standard(ticker, random);
        offered = new Offered((int) (asked.length().plus(asked.after()).toMillis() / Offered.SLOT_MILLIS) + 1);
        startNanos = ticker.getAsLong();
        nowNanos = startNanos;
        long turnNanos = startNanos + asked.length().toNanos();
        long endNanos = turnNanos + asked.after().toNanos();
        double due = startNanos;
        closedLoopRuns = asked.isClosed();
        if (closedLoopRuns) {
            for (int i = 0; i < connections.size() * asked.inFlight(); i++) {
                begin(nowNanos);
            }
        }
        while (nowNanos < endNanos || oldest != next || !again.isEmpty()) {
            closedLoopRuns &= nowNanos < endNanos;
            while (!asked.isClosed() && due <= nowNanos && due < endNanos) {
                begin((long) due);
                due += 1e9 / (due < turnNanos ? asked.perSecond() : asked.afterPerSecond());
            }
            callAgain();
            expire();
            for (RawConnection connection : connections) {
                connection.flush();
            }
            poll(due);
            nowNanos = ticker.getAsLong();
        }
        return offered;
    }

    private void poll(double due) throws IOException {
        // A closed loop keeps its processor as busy as the highest rates do: where two processors share a core, the
        // node's
        // is slower beside a busy one, and what can be sustained would be told too high.
        boolean busy = load.isClosed() || due - ticker.getAsLong() < 1_000_000;
        int ready = busy ? selector.selectNow() : selector.select(1);
        if (ready > 0) {
            nowNanos = ticker.getAsLong();
            for (SelectionKey key : selector.selectedKeys()) {
                ((RawConnection) key.attachment()).read(this);
            }
            selector.selectedKeys().clear();
        }
    }

    private int slot(long atNanos) {
        return (int) ((atNanos - startNanos) / TimeUnit.MILLISECONDS.toNanos(Offered.SLOT_MILLIS));
    }

    private void begin(long due) {
        int slot = slot(due);
        offered.due(slot);
        if (load.manners() == Manners.OBEDIENT) {
            budget.called();
            if (!throttle.admits()) {
                offered.keptBack++;
                return;
            }
        }
        send(due, 1, slot);
    }

    private void send(long due, int attempt, int slot) {
        RawConnection connection = connections.get(turn++ % connections.size());
        boolean room = next - oldest < CALLS_OPEN_MAX - 1;
        if (!room || !connection.put(load.manners().tellDeadline() ? telling : silent, next)) {
            offered.unsent++;
            return;
        }
        offered.sent++;
        int at = next++ & MASK;
        dueNanos[at] = due;
        slotOf[at] = slot;
        attempts[at] = (byte) attempt;
    }

    private void callAgain() {
        while (!again.isEmpty() && again.element().atNanos() <= nowNanos) {
            Again call = again.remove();
            send(nowNanos, call.attempt(), call.slot());
        }
    }

    private void expire() {
        while (oldest != next) {
            int at = oldest & MASK;
            if (attempts[at] != 0) {
                if (nowNanos - dueNanos[at] < deadlineNanos) {
                    return;
                }
                int attempt = attempts[at];
                attempts[at] = 0;
                offered.timedOut++;
                if (load.manners() == Manners.NAIVE) {
                    insist(attempt, slotOf[at]);
                }
                goOn();
            }
            oldest++;
        }
    }

    private void insist(int attempt, int slot) {
        if (attempt < ATTEMPTS_MAX) {
            again.add(new Again(nowNanos, attempt + 1, slot));
        }
    }

    private boolean isOpen(int sequenceId) {
        return sequenceId - oldest >= 0 && attempts[sequenceId & MASK] != 0;
    }

    private void goOn() {
        if (closedLoopRuns) {
            begin(nowNanos);
        }
    }

    @Override
    public void good(int sequenceId) {
        if (isOpen(sequenceId)) {
            int at = sequenceId & MASK;
            attempts[at] = 0;
            if (nowNanos - dueNanos[at] <= deadlineNanos) {
                offered.good(slotOf[at], nowNanos - dueNanos[at]);
                accepted();
            } else {
                offered.timedOut++;
            }
            goOn();
        }
    }

    private void accepted() {
        if (load.manners() == Manners.OBEDIENT) {
            throttle.accepted();
        }
    }

    @Override
    public void refused(int sequenceId, long waitMillis) {
        if (isOpen(sequenceId)) {
            int at = sequenceId & MASK;
            int attempt = attempts[at];
            attempts[at] = 0;
            offered.refused++;
            switch (load.manners()) {
                case QUIET -> {}
                case NAIVE -> insist(attempt, slotOf[at]);
                case OBEDIENT -> {
                    throttle.rejected();
                    obey(attempt, at, waitMillis);
                }
            }
            goOn();
        }
    }

    private void obey(int attempt, int at, long waitMillis) {
        long waitNanos =
                waitMillis < 0 ? 0 : (long) (TimeUnit.MILLISECONDS.toNanos(waitMillis) * (1 + random.nextDouble()));
        boolean inTime = nowNanos - dueNanos[at] + waitNanos < deadlineNanos;
        if (attempt < ATTEMPTS_MAX && inTime && budget.tryRetryWithinShare()) {
            again.add(new Again(nowNanos + waitNanos, attempt + 1, slotOf[at]));
        }
    }

    @Override
    public void failed(int sequenceId) {
        if (isOpen(sequenceId)) {
            attempts[sequenceId & MASK] = 0;
            offered.failed++;
            goOn();
        }
    }

    @Override
    public void close() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
