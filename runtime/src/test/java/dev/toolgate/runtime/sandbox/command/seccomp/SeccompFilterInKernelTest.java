package dev.toolgate.runtime.sandbox.command.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Applies the filter in the kernel, through {@code bwrap --seccomp}. Every attack is also run without the filter, where
 * it must get further, to prove that the filter stops it.
 */
@EnabledOnOs(OS.LINUX)
class SeccompFilterInKernelTest {
    private static final String REFUSED = "Operation not permitted";

    @TempDir
    Path folder;

    private Path filter;

    @BeforeEach
    void writeFilter() throws IOException {
        filter = Files.write(folder.resolve("filter.bpf"), SeccompFilter.forCurrentMachine());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            KEYCTL     | 0, -3, 0                    | the session keyring
            SOCKET     | 40, 1, 0                    | a socket to the hypervisor
            UNSHARE    | 0x10000000                  | a new user namespace
            CLONE      | 0x10000011, 0, 0, 0, 0      | a child in a new user namespace
            IOCTL      | 0, 0x5412, 0                | typing into the terminal
            IOCTL      | 0, 0x100005412, 0           | typing into the terminal, high half set
            PERSONALITY| 0x0040000                   | no address randomisation
            PTRACE     | 0, 0, 0, 0                  | tracing
            """)
    void refuses_an_attack_that_works_without_the_filter(String call, String arguments, String what) throws Exception {
        assertThat(attack(List.of(), call, arguments))
                .as("%s without the filter", what)
                .isNotEqualTo(REFUSED);
        assertThat(attack(List.of("--seccomp", "9"), call, arguments)).as(what).isEqualTo(REFUSED);
    }

    @Test
    void answers_clone3_with_enosys() throws Exception {
        assertThat(attack(List.of("--seccomp", "9"), "CLONE3", "0, 0")).isEqualTo("Function not implemented");
    }

    @Test
    void a_java_program_runs() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assertThat(run(List.of("--seccomp", "9"), List.of(java, "-Xmx32m", "-version")))
                .contains("64-Bit Server VM");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            node    | node -e 'setTimeout(() => console.log("fine"), 1)'
            python3 | python3 -c 'import threading as t; t.Thread(target=print, args=("fine",)).start()'
            git     | cd /tmp && git init -q r && echo fine
            gcc     | cd /tmp && echo 'int main(){return 0;}' > a.c && gcc a.c && ./a.out && echo fine
            """)
    void developer_tools_run(String program, String script) throws Exception {
        assumeTrue(run(List.of(), List.of("sh", "-c", "command -v " + program + " >/dev/null && " + script))
                .contains("fine"));
        assertThat(run(List.of("--seccomp", "9"), List.of("sh", "-c", script))).contains("fine");
    }

    /** The error of a raw system call; empty if it succeeds. */
    private String attack(List<String> options, String call, String arguments) throws Exception {
        int number = Syscall.valueOf(call).number(Architecture.current()).orElseThrow();
        String script =
                "$! = 0; my $r = syscall(" + number + ", " + arguments + "); my $e = $!; print \"$e\" if $r == -1;";
        return run(options, List.of("perl", "-e", script));
    }

    private String run(List<String> options, List<String> command) throws Exception {
        List<String> line = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 9<\"$0\"", filter.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            line.addAll(List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--no-new-privs"));
        }
        line.addAll(List.of("bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/"));
        line.addAll(List.of("--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"));
        line.addAll(options);
        line.addAll(command);
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
    }
}
