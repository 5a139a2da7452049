// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.semantics;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Tag;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.TagIndex;
import io.tagbahn.server.store.EntryListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index over the entries of a store, under the closure in force.
 *
 * <p>The thread that writes only notes what has changed. Whoever asks next brings the index up to date first, so that
 * every answer knows all that was written before the question; where many changes wait, an executor does it meanwhile.
 * What waits is at most one note for each entry.
 */
public final class LiveIndex implements EntryListener {

    private static final Logger log = LoggerFactory.getLogger(LiveIndex.class);

    /** Changes that are left for the next question; more are worked in at once. */
    private static final int NOTED_MAX = 512;

    private final Executor executor;
    private final Function<String, Tag> reading;
    private final Object notes = new Object();
    private final Object work = new Object();
    /** What is there (true) or gone (false) since the index was made; guarded by {@code notes}. */
    private Map<String, Boolean> noted = new LinkedHashMap<>();

    private volatile boolean behind;
    private volatile boolean catchingUp;
    private volatile TagIndex index;
    /** What was worked in while another closure is being prepared; guarded by {@code work}. */
    private @Nullable Map<String, Boolean> since;

    /** @param executor catches up where much has changed; may refuse */
    public LiveIndex(Closure closure, Executor executor) {
        this(closure, executor, Tag::parse);
    }

    /** @param reading makes tags of entries, or fails */
    LiveIndex(Closure closure, Executor executor, Function<String, Tag> reading) {
        this.reading = reading;
        this.index = TagIndex.empty(closure);
        this.executor = executor;
    }

    @Override
    public void added(List<String> entries) {
        note(entries, true);
    }

    @Override
    public void removed(List<String> entries) {
        note(entries, false);
    }

    @Override
    public void touched(List<String> entries) {
        // Who carries a tag is looked up when it is asked for.
    }

    private void note(List<String> entries, boolean there) {
        int count;
        synchronized (notes) {
            for (String entry : entries) {
                noted.put(entry, there);
            }
            count = noted.size();
            behind = true;
        }
        if (count > NOTED_MAX && !catchingUp) {
            catchingUp = true;
            try {
                executor.execute(() -> {
                    catchingUp = false;
                    current();
                });
            } catch (RejectedExecutionException e) {
                catchingUp = false; // the next question does it
            }
        }
    }

    /** The index with all that was written before the call. Takes as long as what has changed since the last call asks. */
    public TagIndex current() {
        if (!behind) {
            return index;
        }
        synchronized (work) {
            Map<String, Boolean> changes;
            synchronized (notes) {
                changes = noted;
                noted = new LinkedHashMap<>();
            }
            if (!changes.isEmpty()) {
                index = appliedOrKept(changes);
                if (since != null) {
                    since.putAll(changes);
                }
            }
            synchronized (notes) {
                behind = !noted.isEmpty();
            }
            return index;
        }
    }

    /** What can't be worked in stays noted, under what was noted since. */
    private TagIndex appliedOrKept(Map<String, Boolean> changes) {
        boolean isDone = false;
        try {
            TagIndex next = applied(index, changes);
            isDone = true;
            return next;
        } finally {
            if (!isDone) {
                synchronized (notes) {
                    noted.forEach(changes::put);
                    noted = changes;
                }
            }
        }
    }

    private TagIndex applied(TagIndex index, Map<String, Boolean> changes) {
        List<Tag> added = new ArrayList<>();
        List<Tag> removed = new ArrayList<>();
        changes.forEach((entry, there) -> {
            try {
                (there ? added : removed).add(reading.apply(entry));
            } catch (InvalidArgument e) {
                log.debug("left out an entry that is no tag", e);
            }
        });
        return index.with(added, removed);
    }

    /** What questions are answered under. */
    public Closure closure() {
        return index.closure();
    }

    /** Puts the index under another closure; meanwhile questions are answered under the one before. */
    public void compile(Closure closure) {
        TagIndex before;
        synchronized (work) {
            before = current();
            since = new LinkedHashMap<>();
        }
        try {
            TagIndex next = before.on(closure);
            synchronized (work) {
                current();
                Map<String, Boolean> changes = since;
                index = changes == null || changes.isEmpty() ? next : applied(next, changes);
            }
        } finally {
            synchronized (work) {
                since = null; // also where it failed: else it would grow for ever
            }
        }
    }
}
