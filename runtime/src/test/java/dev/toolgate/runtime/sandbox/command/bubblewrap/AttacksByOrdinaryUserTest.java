package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the attack suite in a process of an unprivileged user. If the build itself is unprivileged, the suite has
 * already run that way.
 */
class AttacksByOrdinaryUserTest {
    private static final int USER = 47_110;
    private static final List<Class<?>> SUITE = List.of(
            BubblewrapSandboxTest.class,
            FileAttacksTest.class,
            ProcessAttacksTest.class,
            NetworkAttacksTest.class,
            ExhaustionAttacksTest.class,
            SurvivalAttacksTest.class,
            SandboxPoolTest.class,
            AllowedDomainsTest.class,
            ServerDeathTest.class,
            LaunchTest.class);

    @TempDir
    Path temporary;

    @Test
    void every_attack_fails_if_the_server_is_unprivileged() throws Exception {
        assumeTrue(SandboxFixture.runsAsRoot(), "the suite already runs unprivileged");
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path home = own(Files.createDirectory(temporary.resolve("home")));
        Path suid = own(Files.createDirectory(temporary.resolve("suid")));
        ProcessAttacksTest.makeSuid(suid);

        List<String> line = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + USER,
                "--regid=" + USER,
                "--clear-groups",
                "--",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-Dsun.jnu.encoding=UTF-8",
                "-Djava.io.tmpdir=" + home,
                "-D" + ProcessAttacksTest.SUID_FOLDER + "=" + suid,
                "-cp",
                readableClassPath(),
                SuiteMain.class.getName()));
        SUITE.forEach(suite -> line.add(suite.getName()));
        Process process = new ProcessBuilder(line)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).containsPattern(SuiteMain.PASSED + "[89]\\d");
    }

    /** The class path of this process, copied to a folder others can read. */
    private String readableClassPath() throws IOException {
        Path library = Files.createDirectory(temporary.resolve("lib"));
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path source = Path.of(entry);
            if (Files.exists(source)) {
                copies.add(copy(source, library.resolve(copies.size() + "-" + source.getFileName()))
                        .toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static Path copy(Path source, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(source.relativize(file).toString()));
            }
        }
        return target;
    }

    private static Path own(Path folder) throws IOException {
        Files.setAttribute(folder, "unix:uid", USER);
        Files.setAttribute(folder, "unix:gid", USER);
        return folder;
    }
}
