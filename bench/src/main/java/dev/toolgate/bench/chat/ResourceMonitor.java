package dev.toolgate.bench.chat;

import java.time.Duration;

/** Measures the resources used by a server and by this process, from its creation on. */
final class ResourceMonitor {
    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(100);

    private final ServerProcess server;
    private final Duration cpuTimeBefore;
    private final Duration ownCpuTimeBefore;
    private final Thread sampler;
    private long maxHeap;
    private int maxThreads;

    ResourceMonitor(ServerProcess server) {
        this.server = server;
        this.cpuTimeBefore = server.processorTime();
        this.ownCpuTimeBefore = ownTotal();
        this.sampler = Thread.ofPlatform().daemon().name("server-watch").start(this::sample);
    }

    private void sample() {
        try {
            while (true) {
                maxHeap = Math.max(maxHeap, server.heapUsed());
                maxThreads = Math.max(maxThreads, server.threads());
                Thread.sleep(SAMPLE_INTERVAL);
            }
        } catch (InterruptedException over) {
            // done
        }
    }

    /** Ends the measurement; runs a garbage collection to measure the live heap. */
    LoadResult.Used end() throws InterruptedException {
        Duration cpuTime = server.processorTime().minus(cpuTimeBefore);
        Duration ownCpuTime = ownTotal().minus(ownCpuTimeBefore);
        sampler.interrupt();
        sampler.join();
        return new LoadResult.Used(cpuTime, ownCpuTime, maxThreads, server.heapLimit(), maxHeap, server.heapAfterGc());
    }

    private static Duration ownTotal() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
