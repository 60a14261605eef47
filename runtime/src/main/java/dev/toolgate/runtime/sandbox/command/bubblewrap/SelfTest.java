package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Check;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts one sandbox with the real profile and attacks from inside. Its script tries each attack and prints the names
 * of those that were blocked.
 *
 * @param checks the attacks, and whether they were blocked
 */
record SelfTest(List<Check> checks) {
    private static final int TIMEOUT_SECONDS = 30;

    private enum Attack {
        // The write may succeed in a private folder of the same name, so the victim is checked afterwards.
        OUTSIDE("write outside the workspace", "{ echo x > \"$victim\"; true; } 2>/dev/null"),
        SYSTEM("write to the system", "! { printf '' > /usr/toolgate-attack; } 2>/dev/null"),
        KERNEL("change kernel settings", "! { printf '' >> /proc/sys/kernel/core_pattern; } 2>/dev/null"),
        SECRETS("read a masked file", "! grep -q secret .env"),
        PROCESSES("see other processes", "read -r name < /proc/1/comm && [ \"$name\" = bwrap ]"),
        NETWORK("find a network", "! grep -v '^ *lo:' /proc/net/dev | grep -q ':'"),
        ROOT("be root", "! grep -qE '^Uid:.*[[:space:]]0([[:space:]]|$)' /proc/self/status"),
        RIGHTS(
                "gain rights",
                "grep -q '^CapBnd:[[:space:]]*0*$' /proc/self/status"
                        + " && grep -q '^NoNewPrivs:[[:space:]]*1' /proc/self/status"),
        FILTER("use unfiltered system calls", "grep -q '^Seccomp:[[:space:]]*2' /proc/self/status"),
        NAMESPACE("create a namespace", "! unshare -U true 2>/dev/null");

        private final String name;
        private final String blocked;

        Attack(String name, String blocked) {
            this.name = name;
            this.blocked = blocked;
        }
    }

    static SelfTest run(Profiles profiles) {
        try {
            Path folder = Files.createTempDirectory("toolgate-self-test-").toRealPath();
            try {
                // Other accounts may enter it, but cannot create files in it.
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
                return attack(profiles, folder);
            } finally {
                remove(folder);
            }
        } catch (ToolFailure | IOException failed) {
            return notStarted(String.valueOf(failed.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return notStarted("It was interrupted");
        }
    }

    private static SelfTest attack(Profiles profiles, Path folder)
            throws IOException, ToolFailure, InterruptedException {
        Path victim = Files.writeString(folder.resolve("victim"), "untouched");
        Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-rw-rw-"));
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        Files.writeString(workspace.resolve(".env"), "secret");
        BubblewrapProfile profile = profiles.of(workspace);
        profile.launch().give(workspace);
        WorkspaceShape shape = WorkspaceShape.of(workspace, DangerousPaths.standard());
        StringBuilder script = new StringBuilder("victim='" + victim + "'\n");
        for (Attack attack : Attack.values()) {
            script.append("if ")
                    .append(attack.blocked)
                    .append("; then echo ")
                    .append(attack)
                    .append("; fi\n");
        }
        CommandRequest request =
                CommandRequest.inWholeWorkspace(script.toString(), workspace, workspace, Map.of(), List.of());
        try (SandboxProcess sandbox =
                SandboxProcess.start(profile.line(shape, VisibleParts.whole(shape), null, InnerScript.SCRIPT), shape)) {
            sandbox.sendCommand(InnerScript.header(request, Map.of()));
            boolean ended = sandbox.monitor().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            sandbox.end();
            List<String> blocked = new String(sandbox.monitor().getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            boolean untouched = Files.readString(victim).equals("untouched");
            return new SelfTest(verdicts(blocked, ended && untouched));
        }
    }

    private static List<Check> verdicts(List<String> blocked, boolean victimUntouched) {
        List<Check> checks = new ArrayList<>();
        for (Attack attack : Attack.values()) {
            boolean held = blocked.contains(attack.name()) && (attack != Attack.OUTSIDE || victimUntouched);
            checks.add(held ? Check.passed("attack: " + attack.name, "blocked") : succeeded(attack));
        }
        return List.copyOf(checks);
    }

    private static SelfTest notStarted(String reason) {
        return new SelfTest(List.of(new Check("start a sandbox", false, reason, "see the detail")));
    }

    private static Check succeeded(Attack attack) {
        return new Check(
                "attack: " + attack.name,
                false,
                "A command could " + attack.name + "; a newer bubblewrap or kernel is needed: "
                        + SandboxPrograms.installLine("bubblewrap"),
                SandboxPrograms.installLine("bubblewrap"));
    }

    Confinement confinement() {
        return checks.stream()
                .filter(check -> !check.ok())
                .findFirst()
                .map(check -> new Confinement(Confinement.Level.UNAVAILABLE, "bubblewrap", check.detail()))
                .orElseGet(() -> new Confinement(
                        Confinement.Level.CONFINED,
                        "bubblewrap",
                        "Commands are confined by bubblewrap; " + checks.size() + " attacks at start-up were blocked"));
    }

    private static void remove(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve("workspace").resolve(".env"));
        Files.deleteIfExists(folder.resolve("workspace"));
        Files.deleteIfExists(folder.resolve("victim"));
        Files.deleteIfExists(folder);
    }
}
