package dev.toolgate.runtime.command;

import dev.toolgate.core.output.HeadTail;
import dev.toolgate.runtime.output.OutputCapture;
import dev.toolgate.runtime.platform.Platform;
import java.nio.charset.StandardCharsets;

/**
 * The text of a command's result. Standard output and standard error share the space: each has half, and may use what
 * the other leaves.
 */
record ShellReport(String firstLine, String stdout, String stderr, int maxBytes) {
    private static final String STDOUT_TITLE = "--- stdout ---\n";
    private static final String STDERR_TITLE = "--- stderr ---\n";

    /** Truncates the captured output so that the report has at most this many bytes. */
    static ShellReport of(
            String firstLine, OutputCapture stdout, OutputCapture stderr, int maxBytes, Platform platform) {
        byte[] frame = frame(firstLine, "\n", "").getBytes(StandardCharsets.UTF_8);
        int room = Math.max(0, maxBytes - frame.length);
        int forStdout = (int) Math.min(stdout.textBytes(), Math.max(room / 2, room - stderr.textBytes()));
        int forStderr = (int) Math.min(stderr.textBytes(), room - forStdout);
        return new ShellReport(
                firstLine,
                platform.normalizeLineEndings(stdout.text(forStdout)),
                platform.normalizeLineEndings(stderr.text(forStderr)),
                maxBytes);
    }

    String text() {
        boolean endsLine = stdout.isEmpty() || stdout.endsWith("\n");
        return HeadTail.fit(frame(firstLine, endsLine ? stdout : stdout + "\n", stderr), maxBytes);
    }

    private static String frame(String firstLine, String stdout, String stderr) {
        return firstLine + "\n" + STDOUT_TITLE + stdout + STDERR_TITLE + stderr;
    }
}
