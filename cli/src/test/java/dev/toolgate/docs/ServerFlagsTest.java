package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerFlagsTest {
    private static final String LARGE_PAGES = "-XX:+UseTransparentHugePages";

    /** The Java flags if reading the kernel's setting does this. */
    private static List<String> flagsWhere(String readingTheFile) throws Exception {
        String script = ". '" + Documents.ROOT.resolve("scripts/launch.sh") + "'; cat() { " + readingTheFile
                + "; }; server_flags";
        return List.of(outputOf(List.of("sh", "-eu", "-c", script)).split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"always [madvise] never", "[always] madvise never"})
    void large_pages_are_requested_if_the_system_allows_them(String offer) throws Exception {
        assertThat(flagsWhere("echo '" + offer + "'")).contains(LARGE_PAGES, "-XX:+UseG1GC");
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo 'always madvise [never]'", "return 1"})
    void large_pages_are_not_requested_if_unavailable(String readingTheFile) throws Exception {
        assertThat(flagsWhere(readingTheFile)).contains("-XX:+UseG1GC").doesNotContain(LARGE_PAGES);
    }

    @Test
    void java_starts_without_a_warning_with_the_flags_of_this_machine() throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(flagsWhere("command cat \"$@\""));
        command.add("-version");
        assertThat(outputOf(command)).doesNotContainIgnoringCase("warning").contains("build");
    }

    private static String outputOf(List<String> command) throws Exception {
        Process program = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(program.exitValue()).as(said).isZero();
        return said;
    }
}
