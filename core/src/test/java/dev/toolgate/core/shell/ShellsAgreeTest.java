package dev.toolgate.core.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs accepted lines in real shells, where a forbidden program would leave a mark. */
class ShellsAgreeTest {
    private static final int LINES = 40_000;
    private static final int MAX_RUNS = 250;
    private static final List<String> PIECES = List.of(
            "pwn",
            "pwn",
            "pwn ",
            " ",
            " ",
            " ",
            "echo ",
            "ls ",
            "cat ",
            "'",
            "'",
            "\"",
            "\"",
            "$(",
            ")",
            "`",
            "`",
            "(",
            "{ ",
            "; }",
            ";",
            "&",
            "&&",
            "|",
            "\n",
            "\n",
            "\\",
            "\\\n",
            "#",
            "<<E",
            "<<'E'",
            "\nE\n",
            "$x",
            "x=",
            "if ",
            "then ",
            "; fi",
            "case a in a) ",
            ";; esac",
            "for x in a; do ",
            "; done",
            "! ",
            "> f ",
            "2>&1 ",
            "${x:-a}",
            "$((",
            "))",
            "1",
            "eval ",
            "sh -c ",
            "xargs ",
            "env ",
            "-exec ",
            " \\;",
            "{}",
            "command ",
            "time ",
            "*",
            "[ ",
            " ]",
            "a",
            "find . ",
            "-I{} ",
            "=",
            "+=",
            "-",
            "printf ",
            "read x ",
            "export ",
            "set -- ",
            "\t",
            "$",
            "''",
            "\"\"",
            "<<-E",
            "\n\tE\n");

    @TempDir
    private Path folder;

    private Path mark;
    private Path programs;

    @BeforeEach
    void make_the_programs() throws IOException {
        mark = folder.resolve("mark");
        programs = Files.createDirectory(folder.resolve("programs"));
        for (String name : List.of("ls", "cat", "env", "sh", "bash", "xargs", "find", "sort", "grep", "head", "true")) {
            Path real = Path.of(Files.exists(Path.of("/bin", name)) ? "/bin" : "/usr/bin", name);
            program(programs.resolve(name), "exec " + real + " \"$@\"");
        }
        String leaveMark = ": > '" + mark + "'";
        program(programs.resolve("pwn"), leaveMark);
        Files.createDirectory(folder.resolve("work"));
        program(folder.resolve("work/ls"), leaveMark);
        program(folder.resolve("work/cat"), leaveMark);
    }

    static Stream<Path> shells() {
        return Stream.of("/bin/sh", "/bin/bash", "/bin/dash", "/bin/busybox")
                .map(Path::of)
                .filter(Files::isExecutable);
    }

    @Test
    void a_forbidden_program_leaves_the_mark() throws Exception {
        run(Path.of("/bin/sh"), "echo $(pwn)");
        assertThat(mark).exists();
    }

    @ParameterizedTest
    @MethodSource("shells")
    void no_accepted_line_runs_a_forbidden_program(Path shell) throws Exception {
        for (String line : CommandRulesTest.accepted().toList()) {
            if (!line.startsWith("until") && !line.contains("git") && !line.contains("sudo")) {
                assertItDoesNotRun(shell, line);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void no_accepted_random_line_runs_a_forbidden_program(Path shell) throws Exception {
        CommandRules rules = new CommandRules(
                Stream.concat(CommandRulesTest.ALLOWED.stream(), Stream.of("busybox"))
                        .toList(),
                List.of());
        Random random = new Random(4711);
        List<String> accepted = new ArrayList<>();
        for (int i = 0; i < LINES && accepted.size() < MAX_RUNS; i++) {
            String line = line(random);
            if (line.contains("pwn") && rules.objection(line).isEmpty()) {
                accepted.add(line);
            }
        }
        assertThat(accepted).hasSizeGreaterThan(MAX_RUNS / 2);
        for (String line : accepted) {
            assertItDoesNotRun(shell, line);
        }
    }

    private static String line(Random random) {
        StringBuilder line = new StringBuilder(random.nextBoolean() ? "echo " : "");
        for (int i = 2 + random.nextInt(9); i > 0; i--) {
            line.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return line.toString();
    }

    private void assertItDoesNotRun(Path shell, String line) throws IOException, InterruptedException {
        run(shell, line);
        assertThat(mark).as("%s -c %s", shell, line).doesNotExist();
    }

    private void run(Path shell, String line) throws IOException, InterruptedException {
        List<String> command = shell.endsWith("busybox")
                ? List.of(shell.toString(), "sh", "-c", line)
                : List.of(shell.toString(), "-c", line);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.resolve("work").toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().put("PATH", programs.toString());
        Process process = builder.start();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("It did not end: " + line);
        }
    }

    private static void program(Path path, String line) throws IOException {
        Files.writeString(path, "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
