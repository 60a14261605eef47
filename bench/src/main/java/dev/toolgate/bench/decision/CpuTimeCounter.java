package dev.toolgate.bench.decision;

import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The CPU time of the measuring thread, which other load on a shared machine does not affect. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuTimeCounter {
    /** Counted by the benchmark. */
    public long questions;

    /** Their total CPU time. */
    public long nanos;

    private long before;

    @Setup(Level.Iteration)
    public void begin() {
        before = now();
    }

    @TearDown(Level.Iteration)
    public void end() {
        nanos = now() - before;
    }

    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
