// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class after which a Netty buffer was collected that nobody had released. */
final class NoLeaks implements BeforeAllCallback, AfterAllCallback {

    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
    private static final int COLLECTIONS = 3;

    static {
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

    @Override
    public void beforeAll(ExtensionContext context) {
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
        LEAKS.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            // Leaks are reported when the next buffer is made.
            PooledByteBufAllocator.DEFAULT.directBuffer().release();
            io.netty.buffer.ByteBufAllocator.DEFAULT.directBuffer().release();
        }
        assertThat(LEAKS).isEmpty();
    }

    private static final class Recording<T> extends ResourceLeakDetector<T> {

        @SuppressWarnings("deprecation")
        Recording(Class<T> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            LEAKS.add(resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            LEAKS.add(resourceType);
        }
    }
}
