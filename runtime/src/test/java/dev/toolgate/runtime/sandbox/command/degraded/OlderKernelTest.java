package dev.toolgate.runtime.sandbox.command.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.runtime.sandbox.command.degraded.DegradedFixture.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The degraded sandbox with older Landlock versions, or none. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class OlderKernelTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void works_and_enforces_what_the_kernel_supports(int landlock) throws Exception {
        assumeTrue(landlock <= Landlock.version());
        try (DegradedFixture fixture = new DegradedFixture(folder, landlock)) {
            Path victim = fixture.victim("a secret");
            Result work = fixture.run("mkdir a && echo one > a/b && mv a/b c && cat c && rm -r a c");
            assertThat(work).isEqualTo(new Result(0, "one\n", ""));

            String seen = landlock == 0 ? "a secret" : "";
            assertThat(fixture.run("cat " + victim).out()).isEqualTo(seen);

            fixture.run("rm " + victim);
            assertThat(Files.exists(victim)).isEqualTo(landlock > 0);

            assertThat(fixture.run("perl -MSocket -e 'print socket(S, AF_INET, SOCK_STREAM, 0) ? 1 : 0'")
                            .out())
                    .isEqualTo("0");
            assertThat(fixture.sandbox.confinement().mechanism())
                    .isEqualTo(landlock == 0 ? "seccomp only" : "Landlock " + landlock + " and seccomp");
        }
    }
}
