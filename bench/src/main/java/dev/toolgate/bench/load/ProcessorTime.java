package dev.toolgate.bench.load;

import java.time.Duration;

/** How long processors worked for this process and for its database, which neighbours on a shared machine do not add to. */
record ProcessorTime(Duration own, Duration database) {

    static ProcessorTime now() {
        return new ProcessorTime(
                used(ProcessHandle.current()),
                ProcessHandle.current().descendants().map(ProcessorTime::used).reduce(Duration.ZERO, Duration::plus));
    }

    ProcessorTime since(ProcessorTime before) {
        return new ProcessorTime(own.minus(before.own), database.minus(before.database));
    }

    private static Duration used(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
