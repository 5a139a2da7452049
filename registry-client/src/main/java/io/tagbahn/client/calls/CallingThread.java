// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/** The thread of a blocking call as an executor: the call goes on where its caller waits, and nowhere else. */
final class CallingThread implements Executor {

    /** Steps of one call; they come one after another, and besides there is the one that wakes the thread. */
    private static final int STEPS_MAX = 64;

    private final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>(STEPS_MAX);

    @Override
    public void execute(Runnable step) {
        steps.add(step);
    }

    /** Runs the call's steps until its answer is there. */
    void runUntil(CompletableFuture<?> answer) throws InterruptedException {
        if (answer.isDone()) {
            return;
        }
        CompletionStage<?> end = answer;
        end.whenComplete((value, error) -> steps.add(() -> {}));
        while (!answer.isDone()) {
            steps.take().run();
        }
    }
}
