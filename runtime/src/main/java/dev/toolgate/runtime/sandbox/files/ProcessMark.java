package dev.toolgate.runtime.sandbox.files;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process told apart from every other that ever had its number: by the time it started. */
record ProcessMark(long pid, long startedAt) {
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,18})-(\\d{1,18})-.*");

    static ProcessMark current() {
        ProcessHandle self = ProcessHandle.current();
        return new ProcessMark(self.pid(), startOf(self));
    }

    /** The mark a file name begins with; one that no living process has, if it begins otherwise. */
    static ProcessMark of(String fileName) {
        Matcher parts = WRITTEN.matcher(fileName);
        return parts.matches()
                ? new ProcessMark(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)))
                : new ProcessMark(0, 0);
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
