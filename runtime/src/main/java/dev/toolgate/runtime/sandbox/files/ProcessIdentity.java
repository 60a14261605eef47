package dev.toolgate.runtime.sandbox.files;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Identifies a process by pid and start time, because pids are reused. */
record ProcessIdentity(long pid, long startedAt) {
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,18})-(\\d{1,18})-.*");

    static ProcessIdentity current() {
        ProcessHandle self = ProcessHandle.current();
        return new ProcessIdentity(self.pid(), startOf(self));
    }

    /** The identity at the start of a file name; if there is none, one that matches no process. */
    static ProcessIdentity of(String fileName) {
        Matcher parts = WRITTEN.matcher(fileName);
        return parts.matches()
                ? new ProcessIdentity(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)))
                : new ProcessIdentity(0, 0);
    }

    boolean isAlive() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> startOf(process) == startedAt)
                .isPresent();
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    @Override
    public String toString() {
        return pid + "-" + startedAt;
    }
}
