package dev.toolgate.bench.chat;

import java.time.Duration;

/** What a server and this process use, from now on. */
final class ServerWatch {
    private static final Duration BETWEEN = Duration.ofMillis(100);

    private final ServerProcess server;
    private final Duration workedBefore;
    private final Duration ownBefore;
    private final Thread looking;
    private long mostHeap;
    private int mostThreads;

    ServerWatch(ServerProcess server) {
        this.server = server;
        this.workedBefore = server.processorTime();
        this.ownBefore = own();
        this.looking = Thread.ofPlatform().daemon().name("server-watch").start(this::look);
    }

    private void look() {
        try {
            while (true) {
                mostHeap = Math.max(mostHeap, server.heapUsed());
                mostThreads = Math.max(mostThreads, server.threads());
                Thread.sleep(BETWEEN);
            }
        } catch (InterruptedException over) {
            // seen enough
        }
    }

    /** What it was until now; a collection shows what of the heap is needed. */
    LoadResult.Used end() throws InterruptedException {
        Duration worked = server.processorTime().minus(workedBefore);
        Duration ownWorked = own().minus(ownBefore);
        looking.interrupt();
        looking.join();
        return new LoadResult.Used(worked, ownWorked, mostThreads, server.heapLimit(), mostHeap, server.heapNeeded());
    }

    private static Duration own() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
