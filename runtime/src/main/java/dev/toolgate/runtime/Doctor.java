package dev.toolgate.runtime;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.Check;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.command.bubblewrap.SandboxDoctor;
import dev.toolgate.runtime.sandbox.files.RootedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks the machine, the workspace and the sandbox, with a fix for every failed check. */
public final class Doctor {
    private Doctor() {}

    /** All checks, basic ones first. */
    public static List<Check> examine(RuntimeSettings settings) {
        List<Check> checks = new ArrayList<>();
        checks.add(Check.passed("Java 25 or newer", Runtime.version().toString()));
        checks.add(stateFolder(settings.stateFolder()));
        try {
            Account account = WorkspaceAccount.of(settings.workspace());
            checks.add(workspace(settings.workspace(), account));
            checks.add(Check.passed("files", RootedFiles.description()));
            if (Platform.current().name().equals("Linux")) {
                checks.addAll(SandboxDoctor.examine(account, settings.sandbox()));
            }
            checks.addAll(PlatformLimits.of(Platform.current()));
        } catch (IOException unusable) {
            checks.add(new Check(
                    "workspace",
                    false,
                    settings.workspace() + " cannot be used: " + unusable.getMessage(),
                    "name an existing folder with --workspace"));
        }
        return List.copyOf(checks);
    }

    private static Check workspace(Path workspace, Account account) throws IOException {
        return WorkspaceAccount.writeProblem(workspace, account)
                .map(problem -> new Check(
                        "workspace", false, problem, "run that command, or name another folder with --workspace"))
                .orElseGet(() -> Check.passed("workspace", workspace + ", files belong to " + account.name()));
    }

    private static Check stateFolder(Path folder) {
        try {
            Files.createDirectories(folder);
            Path probe = Files.createTempFile(folder, "probe", null);
            Files.delete(probe);
            return Check.passed("data folder", folder.toString());
        } catch (IOException unusable) {
            return new Check(
                    "data folder", false, folder + " cannot be written", "set TOOLGATE_HOME to a writable folder");
        }
    }
}
