// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What writes kept answers to their file, every few seconds where they have changed, on a thread that is there meanwhile. */
final class KeptSaver {

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final Logger log = LoggerFactory.getLogger(KeptSaver.class);

    private final KeptAnswers answers;
    private final KeptFile file;
    private final Timer timer;
    private final ThreadPoolExecutor thread;
    private boolean failing; // one save at a time touches these
    private long saved;

    KeptSaver(KeptAnswers answers, KeptFile file, Timer timer, String threadName) {
        this.answers = answers;
        this.file = file;
        this.timer = timer;
        // A save that would begin while another one runs is left to the next time.
        this.thread = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread made = new Thread(task, threadName);
            made.setDaemon(true);
            return made;
        });
    }

    /** Takes in what an earlier process has left, and saves from now on. */
    void start() {
        answers.restore(file.read());
        saved = answers.version();
        again();
    }

    private void again() {
        try {
            timer.after(EVERY, this::begin);
        } catch (RejectedExecutionException e) {
            log.debug("the client is closed", e);
        }
    }

    private void begin() {
        try {
            if (answers.version() != saved()) {
                thread.execute(this::save);
            }
        } catch (RejectedExecutionException e) {
            log.debug("the save before is not through, or the client is closed", e);
        }
        again();
    }

    private synchronized long saved() {
        return saved;
    }

    private synchronized void save() {
        long version = answers.version();
        if (version == saved) {
            return;
        }
        try {
            file.write(answers.good());
            saved = version;
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                log.warn("answers could not be written to their file: {}", e.toString());
            }
        }
    }

    /** Saves what has not been saved. */
    void close() {
        thread.shutdown();
        save();
    }
}
