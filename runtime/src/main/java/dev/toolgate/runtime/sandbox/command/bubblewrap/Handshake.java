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

/** What a new sandbox says on standard output before any command: its first process, and that it is ready. */
final class Handshake {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LONGEST = 4096;
    private static final Pattern CHILD = Pattern.compile("\"child-pid\"\\s*:\\s*(\\d+)");
    private static final String INFORMED = "}\n";
    private static final String READY = InnerScript.READY + "\n";

    private Handshake() {}

    /** The first process inside, which bubblewrap names before anything is mounted. */
    static ProcessTree firstProcess(Process monitor) throws ToolFailure, IOException, InterruptedException {
        Matcher child = CHILD.matcher(awaitLine(monitor, INFORMED));
        if (!child.find()) {
            throw BindSource.refusal("The sandbox did not say which process it is; install bubblewrap 0.8 or newer");
        }
        return new ProcessTree(Long.parseLong(child.group(1)));
    }

    /** Returns once everything is mounted and dropped and the script inside runs. */
    static void ready(Process monitor) throws ToolFailure, IOException, InterruptedException {
        awaitLine(monitor, READY);
    }

    private static String awaitLine(Process monitor, String end) throws ToolFailure, IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        StringBuilder said = new StringBuilder();
        InputStream stdout = monitor.getInputStream();
        while (said.indexOf(end) < 0) {
            if (stdout.available() > 0) {
                said.append((char) stdout.read());
            } else if (!monitor.isAlive() && stdout.available() == 0) {
                throw refused(monitor);
            } else if (System.nanoTime() - deadline > 0 || said.length() > LONGEST) {
                throw BindSource.refusal("The sandbox was not ready within " + PATIENCE.toSeconds()
                        + " s; the machine may be overloaded, try again later");
            } else {
                TimeUnit.MICROSECONDS.sleep(100);
            }
        }
        return said.toString();
    }

    private static ToolFailure refused(Process monitor) throws IOException {
        String reason = new String(monitor.getErrorStream().readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
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
