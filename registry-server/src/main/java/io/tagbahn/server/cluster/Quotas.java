// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.server.admission.CallerQuotas;
import io.tagbahn.server.admission.QuotaAccounts;
import io.tagbahn.server.admission.QuotaTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much each caller may use of the cluster: this node's shares, and the accounts that are kept here.
 *
 * <p>A caller's account is kept at the first owner of its name on the ring. Each node draws on it a few times a second, one
 * message to each node that keeps accounts of its callers.
 */
public final class Quotas {

    private static final Logger log = LoggerFactory.getLogger(Quotas.class);
    private static final Duration ROUND = Duration.ofMillis(200);
    private static final String KEY = "caller:";

    /** Callers in one message. */
    static final int CALLERS_MAX = 1_000;

    private final QuotaTerms terms;
    private final CallerQuotas shares;
    private final QuotaAccounts accounts;
    private final ClusterState state;
    private final Peers peers;
    private final Timer timer;
    private final LongSupplier ticker;
    private volatile boolean closed;

    Quotas(QuotaTerms terms, ClusterState state, Peers peers, Timer timer, LongSupplier ticker) {
        this.terms = terms;
        this.shares = new CallerQuotas(terms);
        this.accounts = new QuotaAccounts(terms);
        this.state = state;
        this.peers = peers;
        this.timer = timer;
        this.ticker = ticker;
    }

    /** Takes a call out of the share of its caller; false where there is none left. */
    public boolean take(String caller) {
        return !terms.isLimited() || shares.take(caller, ticker.getAsLong());
    }

    /** Draws on the accounts of callers that are kept here. */
    List<Long> draw(List<String> callers, List<Long> wanted) {
        List<Long> drawn = new ArrayList<>(callers.size());
        for (int i = 0; i < callers.size(); i++) {
            drawn.add(
                    terms.isLimited()
                            ? accounts.draw(callers.get(i), wanted.get(i), ticker.getAsLong())
                            : wanted.get(i));
        }
        return drawn;
    }

    void start() {
        if (terms.isLimited()) {
            timer.after(ROUND, this::round);
        }
    }

    void close() {
        closed = true;
    }

    private void round() {
        ClusterView view = state.view();
        shares.nodes(view.reachable().size());
        Map<String, Map<String, Long>> byNode = new LinkedHashMap<>();
        shares.wanted(CALLERS_MAX, ticker.getAsLong()).forEach((caller, want) -> {
            List<String> owners = view.owners(KEY + caller);
            if (!owners.isEmpty()) {
                byNode.computeIfAbsent(owners.get(0), node -> new LinkedHashMap<>())
                        .put(caller, want);
            }
        });
        byNode.forEach((node, wanted) -> draw(node, wanted, view));
        if (!closed) {
            timer.after(ROUND, this::round);
        }
    }

    private void draw(String node, Map<String, Long> wanted, ClusterView view) {
        Optional<Replica> account = peers.get(node, view).filter(peer -> !peer.isStalled());
        if (account.isEmpty()) {
            return;
        }
        List<String> callers = List.copyOf(wanted.keySet());
        long untilNanos = ticker.getAsLong() + ROUND.multipliedBy(2).toNanos();
        account.get().draw(callers, List.copyOf(wanted.values()), untilNanos).whenComplete((drawn, error) -> {
            if (error != null) {
                log.debug("node {} keeps accounts and does not answer: {}", node, error.toString());
                return;
            }
            for (int i = 0; i < Math.min(callers.size(), drawn.size()); i++) {
                shares.drawn(callers.get(i), drawn.get(i), ticker.getAsLong());
            }
        });
    }
}
