package dev.toolgate.cli.local;

import dev.toolgate.runtime.Doctor;
import dev.toolgate.runtime.platform.Check;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code toolgate doctor}: checks this machine and suggests fixes. */
@Command(
        name = "doctor",
        description = "Check what works on this machine and say how to fix what does not.",
        mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private RuntimeOptions runtime = new RuntimeOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Check> checks = Doctor.examine(runtime.settings());
        for (Check check : checks) {
            out.printf("%-5s %-40s %s%n", check.ok() ? "ok" : "FAIL", check.name(), check.detail());
            if (!check.ok() && !check.fix().isEmpty()) {
                out.printf("%-5s %-40s fix: %s%n", "", "", check.fix());
            }
        }
        boolean fine = checks.stream().allMatch(Check::ok);
        out.println(fine ? "Everything works here." : "Some things do not work here; the fixes are above.");
        out.flush();
        return fine ? 0 : 1;
    }
}
