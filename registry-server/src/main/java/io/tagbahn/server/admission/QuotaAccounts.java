// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The accounts of callers whose home a node is: each fills at the caller's rate, up to its burst, and nodes draw on it for
 * the calls that they let in.
 *
 * <p>Source: Elhemali et al., "Amazon DynamoDB: A Scalable, Predictably Performant, and Fully Managed NoSQL Database
 * Service" (USENIX ATC 2022), global admission control. May be used by many threads.
 */
public final class QuotaAccounts {

    /** Accounts that are kept; that of whoever was quiet the longest is forgotten, and full when it is opened again. */
    static final int ACCOUNTS_MAX = 10_000;

    private final QuotaTerms terms;
    private final Map<String, Account> accounts = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Account> eldest) {
            return size() > ACCOUNTS_MAX;
        }
    };

    private static final class Account {
        private double calls;
        private long nanos;
    }

    public QuotaAccounts(QuotaTerms terms) {
        this.terms = terms;
    }

    /** Draws calls: as many as are wanted, or are there. */
    public synchronized long draw(String caller, long wanted, long nowNanos) {
        Account account = accounts.computeIfAbsent(caller, name -> {
            Account opened = new Account();
            opened.calls = (double) terms.burst();
            opened.nanos = nowNanos;
            return opened;
        });
        account.calls = Math.min(
                (double) terms.burst(),
                account.calls + (double) Math.max(0, nowNanos - account.nanos) / 1e9 * (double) terms.perSecond());
        account.nanos = nowNanos;
        long drawn = Math.max(0, Math.min(wanted, (long) account.calls));
        account.calls -= drawn;
        return drawn;
    }
}
