package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.Check;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the requirements of the bubblewrap sandbox, with a fix for every failed check. */
public final class SandboxDoctor {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)");

    private SandboxDoctor() {}

    /** All checks, ordered by dependency. */
    public static List<Check> examine(Account account, SandboxSettings settings) {
        List<Check> checks = new ArrayList<>();
        checks.add(bubblewrap());
        checks.add(program("prlimit", "util-linux"));
        if (ProcessHandle.current().info().user().filter("root"::equals).isPresent()) {
            checks.add(program("setpriv", "util-linux"));
        }
        List<Check> attacks = attacks(account, settings);
        boolean started = attacks.size() > 1;
        checks.add(started ? Check.passed("user namespaces", "allowed") : userNamespaces());
        checks.add(
                account.isRoot()
                        ? new Check("account", false, "commands would run as root", "chown -R <account> <workspace>")
                        : Check.passed("account", "commands run as " + account.name()));
        checks.addAll(attacks);
        return List.copyOf(checks);
    }

    private static List<Check> attacks(Account account, SandboxSettings settings) {
        try (Profiles profiles = new Profiles(_ -> account, settings)) {
            return SelfTest.run(profiles).checks();
        } catch (ToolFailure failure) {
            return List.of(new Check("self-test", false, String.valueOf(failure.getMessage()), "see the checks above"));
        }
    }

    private static Check bubblewrap() {
        Check present = program("bwrap", "bubblewrap");
        if (!present.ok()) {
            return present;
        }
        try {
            Process process = new ProcessBuilder(present.detail(), "--version").start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            Matcher version = VERSION.matcher(output);
            boolean recent = version.find()
                    && (Integer.parseInt(version.group(1)) > 0 || Integer.parseInt(version.group(2)) >= 8);
            return new Check(
                    "bubblewrap 0.8 or newer",
                    recent,
                    output,
                    recent ? "" : SandboxPrograms.installLine("bubblewrap") + " (0.8 or newer)");
        } catch (IOException failed) {
            return new Check(
                    "bubblewrap 0.8 or newer",
                    false,
                    "bwrap does not start: " + failed.getMessage(),
                    SandboxPrograms.installLine("bubblewrap"));
        }
    }

    private static Check program(String name, String wantedPackage) {
        return SandboxPrograms.find(name)
                .map(path -> Check.passed(name, path.toString()))
                .orElseGet(() ->
                        new Check(name, false, "not found in /usr/bin", SandboxPrograms.installLine(wantedPackage)));
    }

    private static Check userNamespaces() {
        String name = "user namespaces";
        if (settingIs("user/max_user_namespaces", "0")) {
            return new Check(name, false, "switched off", "sysctl -w user.max_user_namespaces=15000");
        }
        if (settingIs("kernel/unprivileged_userns_clone", "0")) {
            return new Check(name, false, "restricted to root", "sysctl -w kernel.unprivileged_userns_clone=1");
        }
        if (settingIs("kernel/apparmor_restrict_unprivileged_userns", "1")) {
            return new Check(
                    name,
                    false,
                    "restricted by AppArmor",
                    "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap");
        }
        return Check.passed(name, "allowed");
    }

    private static boolean settingIs(String setting, String value) {
        try {
            return Files.readString(Path.of("/proc/sys", setting)).strip().equals(value);
        } catch (IOException absent) {
            return false;
        }
    }
}
