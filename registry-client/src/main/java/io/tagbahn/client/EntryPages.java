// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Criticality;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.RegistryFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** All entries of the registry, fetched page by page. */
final class EntryPages {

    private final CallGuard guard;
    private final Optional<String> prefix;
    private final int entriesMax;
    private final QueryDeadline deadline;
    private final List<String> names = new ArrayList<>();
    private boolean degraded;

    private EntryPages(CallGuard guard, Optional<String> prefix, int entriesMax, QueryDeadline deadline) {
        this.guard = guard;
        this.prefix = prefix;
        this.entriesMax = entriesMax;
        this.deadline = deadline;
    }

    /** The entries as one page; the whole fails with the first call that fails. */
    static CompletableFuture<NamesPage> fetch(
            CallGuard guard, Optional<String> prefix, int entriesMax, QueryDeadline deadline) {
        return new EntryPages(guard, prefix, entriesMax, deadline).from(Optional.empty());
    }

    private CompletableFuture<NamesPage> from(Optional<String> cursor) {
        return guard.call(
                        deadline.ofCall(),
                        Criticality.NORMAL,
                        (node, context) -> node.serviceNames(prefix, OptionalInt.empty(), cursor, context))
                .thenCompose(page -> {
                    names.addAll(page.names());
                    degraded |= page.degraded();
                    if (names.size() > entriesMax) {
                        return CompletableFuture.failedFuture(
                                new RegistryFault("the registry lists more than " + entriesMax + " entries"));
                    }
                    if (page.nextCursor().isEmpty()) {
                        return CompletableFuture.completedFuture(new NamesPage(names, Optional.empty(), degraded));
                    }
                    if (page.nextCursor().equals(cursor)) {
                        return CompletableFuture.failedFuture(
                                new RegistryFault("the registry names a next page that is the same again"));
                    }
                    return from(page.nextCursor());
                });
    }
}
