package dev.toolgate.server.condition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LazyLibraryTest {

    @Test
    void a_server_without_conditions_does_not_load_the_library() throws Exception {
        assertThat(loadedBy("start")).contains(CelConditions.class.getName()).doesNotContain("dev.cel.");
        assertThat(loadedBy("compile")).contains("dev.cel.");
    }

    private static String loadedBy(String task) throws IOException, InterruptedException {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:stdout",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        task)
                .redirectErrorStream(true)
                .start();
        String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor()).as(output).isZero();
        return output.lines().filter(line -> !line.contains("] java.")).collect(Collectors.joining("\n"));
    }

    /** The main class of the other process. */
    static final class Program {
        private Program() {}

        public static void main(String[] task) {
            CelConditions conditions = new CelConditions();
            if (task[0].equals("compile")) {
                conditions.compile("true");
            }
        }
    }
}
