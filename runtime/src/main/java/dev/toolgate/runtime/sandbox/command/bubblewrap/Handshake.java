package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.ProcessTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a new sandbox reports on standard output before the command: the pid of its init process, then readiness.
 */
final class Handshake {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int MAX_OUTPUT_BYTES = 4096;
    private static final Pattern CHILD = Pattern.compile("\"child-pid\"\\s*:\\s*(\\d+)");
    private static final String PID_LINE_END = "}\n";
    private static final String READY = InnerScript.READY + "\n";

    private Handshake() {}

    /** The init process, which bubblewrap reports before anything is mounted. */
    static ProcessTree firstProcess(Process monitor) throws ToolFailure, IOException, InterruptedException {
        Matcher child = CHILD.matcher(awaitLine(monitor, PID_LINE_END));
        if (!child.find()) {
            throw BindSource.refusal("The sandbox did not report its process id; install bubblewrap 0.8 or newer");
        }
        return new ProcessTree(Long.parseLong(child.group(1)));
    }

    /** Waits until everything is mounted, privileges are dropped and the script inside runs. */
    static void ready(Process monitor) throws ToolFailure, IOException, InterruptedException {
        awaitLine(monitor, READY);
    }

    private static String awaitLine(Process monitor, String end) throws ToolFailure, IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        StringBuilder output = new StringBuilder();
        InputStream stdout = monitor.getInputStream();
        while (output.indexOf(end) < 0) {
            if (stdout.available() > 0) {
                output.append((char) stdout.read());
            } else if (!monitor.isAlive() && stdout.available() == 0) {
                throw refused(monitor);
            } else if (System.nanoTime() - deadline > 0 || output.length() > MAX_OUTPUT_BYTES) {
                throw BindSource.refusal("The sandbox was not ready within " + TIMEOUT.toSeconds()
                        + " s; the machine may be overloaded, try again later");
            } else {
                TimeUnit.MICROSECONDS.sleep(100);
            }
        }
        return output.toString();
    }

    private static ToolFailure refused(Process monitor) throws IOException {
        String reason =
                new String(monitor.getErrorStream().readNBytes(MAX_OUTPUT_BYTES), StandardCharsets.UTF_8).strip();
        return BindSource.refusal("The sandbox could not be set up ("
                + (reason.isEmpty() ? "exit code " + monitor.exitValue() : reason.replace("\n", "; "))
                + "); " + fix(reason));
    }

    static String fix(String reason) {
        if (reason.contains("Can't find source path") && reason.contains("Permission denied")) {
            return "let the account that commands run as reach the workspace: chmod o+x on the folders above it";
        }
        if (reason.contains("uid map") || reason.contains("namespace") || reason.contains("RTM_NEWADDR")) {
            return "allow unprivileged user namespaces: sysctl -w user.max_user_namespaces=15000"
                    + " kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0"
                    + " (those that exist here)";
        }
        return "run toolgate doctor to see what is missing";
    }
}
