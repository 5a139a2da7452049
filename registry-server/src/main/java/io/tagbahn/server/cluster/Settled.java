// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** How asynchronous answers are put together. */
final class Settled {

    private Settled() {}

    /** Completes when all have, whatever became of them. */
    static CompletionStage<Void> all(List<? extends CompletionStage<?>> stages) {
        List<CompletableFuture<?>> settled = new ArrayList<>(stages.size());
        for (CompletionStage<?> stage : stages) {
            settled.add(stage.handle((value, error) -> null).toCompletableFuture());
        }
        return CompletableFuture.allOf(settled.toArray(CompletableFuture[]::new));
    }

    /** What a stage failed with, without what later stages put around it. */
    static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
