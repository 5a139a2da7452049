// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

/** The polling of an event loop, with a look at the clock before and behind it. */
final class TimedIo implements IoHandler {

    private final IoHandler io;
    private final LoopTimes times;
    private final Timed timed = new Timed();

    TimedIo(IoHandler io, LoopTimes times) {
        this.io = io;
        this.times = times;
    }

    @Override
    public void initialize() {
        io.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        timed.context = context;
        timed.activeNanos = 0;
        times.roundBegins();
        try {
            return io.run(timed);
        } finally {
            times.roundEnded(timed.activeNanos);
        }
    }

    @Override
    public void prepareToDestroy() {
        io.prepareToDestroy();
    }

    @Override
    public void destroy() {
        io.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return io.register(handle);
    }

    @Override
    public void wakeup() {
        io.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return io.isCompatible(handleType);
    }

    /** The loop as the polling sees it; it is told what part of its time was work. */
    private static final class Timed implements IoHandlerContext {

        private IoHandlerContext context = new Never();
        private long activeNanos;

        @Override
        public boolean canBlock() {
            return context.canBlock();
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return context.delayNanos(currentTimeNanos);
        }

        @Override
        public long deadlineNanos() {
            return context.deadlineNanos();
        }

        @Override
        public void reportActiveIoTime(long nanos) {
            activeNanos += nanos;
            context.reportActiveIoTime(nanos);
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return true;
        }
    }

    /** Before the first round. */
    private static final class Never implements IoHandlerContext {

        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return -1;
        }
    }
}
