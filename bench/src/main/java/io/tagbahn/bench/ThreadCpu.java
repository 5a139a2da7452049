// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** CPU time by thread: what a call costs, also where other processes take most of the machine. */
final class ThreadCpu {

    private ThreadCpu() {}

    /** CPU time that the live threads whose name begins like this have used. */
    static long nanos(String namePrefix) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(namePrefix)) {
                nanos += Math.max(threads.getThreadCpuTime(thread.getThreadId()), 0);
            }
        }
        return nanos;
    }
}
