// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The Netty buffers of this process that were collected without having been released. */
final class BufferLeaks {

    private static final int REPORTS_MAX = 100;
    private static final Queue<String> REPORTS = new ConcurrentLinkedQueue<>();

    private BufferLeaks() {}

    /** Begins to watch every buffer; to be called before the first one is made. */
    static void watch() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation")
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                    Class<T> resource, int samplingInterval, long maxActive) {
                return newResourceLeakDetector(resource, samplingInterval);
            }

            @Override
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int samplingInterval) {
                return new Recording<>(resource, samplingInterval);
            }
        });
    }

    /** How many were found, after a collection. */
    static int count() {
        System.gc();
        ByteBufAllocator.DEFAULT.directBuffer().release();
        return REPORTS.size();
    }

    private static final class Recording<T> extends ResourceLeakDetector<T> {

        @SuppressWarnings("deprecation")
        Recording(Class<T> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return REPORTS.size() < REPORTS_MAX;
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            REPORTS.add(resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            REPORTS.add(resourceType);
        }
    }
}
