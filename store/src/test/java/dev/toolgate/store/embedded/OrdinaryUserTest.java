package dev.toolgate.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.store.SharedPostgres;
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

/** Runs the other tests in a process of an ordinary user, if the build runs as root. */
class OrdinaryUserTest {
    private static final List<Class<?>> SUITE =
            List.of(EmbeddedPostgresTest.class, RefusedDataTest.class, CrashRecoveryTest.class);

    @TempDir
    Path temporary;

    @Test
    void the_embedded_server_works_for_an_ordinary_user() throws Exception {
        PostgresAccount ordinary = PostgresAccount.byName("daemon").orElseThrow();
        List<String> arguments = new ArrayList<>(List.of(SuiteMain.class.getName()));
        SUITE.forEach(suite -> arguments.add(suite.getName()));

        String output = run(ordinary, arguments);

        assertThat(output).contains(SuiteMain.PASSED + "19").contains("ended with 0");
    }

    @Test
    void an_account_without_a_name_gets_an_explanation() throws Exception {
        PostgresAccount nameless = new PostgresAccount("", 47_112, 47_112);
        String home = temporary.resolve("home/inner").toString();

        assertThat(run(nameless, List.of(OtherProcess.class.getName(), home)))
                .contains("the one that runs Toolgate has no entry in /etc/passwd");
    }

    private String run(PostgresAccount account, List<String> arguments) throws Exception {
        assumeTrue(PostgresAccount.current().isRoot(), "The tests already run as an ordinary user");
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path home = Files.createDirectory(temporary.resolve("home"));
        account.own(home);
        List<String> line = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + account.uid(),
                "--regid=" + account.gid(),
                "--clear-groups",
                "--",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Djava.io.tmpdir=" + home,
                "-D" + SharedPostgres.PROGRAMS + "="
                        + SharedPostgres.server().folder().resolve("postgres"),
                "-cp",
                readableClassPath()));
        line.addAll(arguments);
        Process process = new ProcessBuilder(line)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output + "\nended with " + process.waitFor();
    }

    /** The class path of this process, copied to where others may read it. */
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
}
