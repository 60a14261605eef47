package dev.toolgate.bench.load;

import java.time.Duration;

/** The CPU time of this process and its database, which other load on a shared machine does not affect. */
record CpuTime(Duration own, Duration database) {

    static CpuTime now() {
        return new CpuTime(
                used(ProcessHandle.current()),
                ProcessHandle.current().descendants().map(CpuTime::used).reduce(Duration.ZERO, Duration::plus));
    }

    CpuTime since(CpuTime before) {
        return new CpuTime(own.minus(before.own), database.minus(before.database));
    }

    CpuTime plus(CpuTime more) {
        return new CpuTime(own.plus(more.own), database.plus(more.database));
    }

    private static Duration used(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
