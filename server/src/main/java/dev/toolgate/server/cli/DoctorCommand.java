package dev.toolgate.server.cli;

import dev.toolgate.runtime.LocalRuntime;
import dev.toolgate.runtime.sandbox.command.Check;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code toolgate doctor}: what works on this machine, and the exact fix for what does not. */
@Command(
        name = "doctor",
        description = "Check what works on this machine and say how to fix what does not.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private RuntimeOptions runtime = new RuntimeOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (LocalRuntime open = runtime.open()) {
            List<Check> checks = open.checks();
            for (Check check : checks) {
                out.printf("%-5s %-22s %s%n", check.passed() ? "ok" : "FAIL", check.name(), check.detail());
                if (!check.passed() && !check.fix().isEmpty()) {
                    out.printf("%-5s %-22s fix: %s%n", "", "", check.fix());
                }
            }
            boolean fine = checks.stream().allMatch(Check::passed);
            out.println(fine ? "Everything works here." : "Some things do not work here; the fixes are above.");
            out.flush();
            return fine ? 0 : 1;
        }
    }
}
