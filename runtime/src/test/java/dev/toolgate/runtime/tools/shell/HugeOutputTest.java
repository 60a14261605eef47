package dev.toolgate.runtime.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Output;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command may print many times more than fits into memory. */
class HugeOutputTest {
    private static final long TWO_GIB = 2L * 1024 * 1024 * 1024;

    @TempDir
    Path folder;

    @Test
    @Timeout(180)
    void a_command_that_prints_2_gib_runs_in_a_java_with_128_mb() throws Exception {
        Path report = folder.resolve("report");
        Process java = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Printing.class.getName(),
                        folder.toString()))
                .redirectErrorStream(true)
                .redirectOutput(report.toFile())
                .start();
        try {
            assertThat(java.waitFor(170, TimeUnit.SECONDS)).isTrue();
        } finally {
            java.destroyForcibly();
        }

        assertThat(Files.readAllLines(report))
                .containsSequence(
                        "exit code 0",
                        "bytes seen " + TWO_GIB,
                        "bytes kept " + 100 * 1024 * 1024,
                        "fits true",
                        "begins and ends true");
        assertThat(java.exitValue()).isZero();
    }

    /** The program that runs in the small JVM. */
    static final class Printing {
        private Printing() {}

        public static void main(String[] arguments) throws Exception {
            try (BashFixture bash = new BashFixture(Path.of(arguments[0]))) {
                Output output = bash.run("echo first; yes ☃☃☃☃☃☃☃ | head -c " + (TWO_GIB - 11) + "; echo last");
                String text = output.text();
                System.out.println("exit code " + output.metadata().get("exitCode"));
                System.out.println("bytes seen " + output.metadata().get("stdoutBytes"));
                System.out.println("bytes kept " + output.metadata().get("stdoutBytesKept"));
                System.out.println("fits " + (text.length() < 102_400));
                System.out.println("begins and ends "
                        + (text.startsWith("Exit code: 0\n--- stdout ---\nfirst\n☃")
                                && text.endsWith("last\n--- stderr ---\n")));
            }
        }
    }
}
