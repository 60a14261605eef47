package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.policy.CapabilityGrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a session for commands. */
class CommandScopesTest extends WithSessionGate {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm secret/victim",
                "ls; rm secret/victim",
                "ls && echo x > y; rm secret/victim",
                "echo $(rm secret/victim)",
                "echo `rm secret/victim`",
                "ls\nrm secret/victim",
                "env x=1 rm secret/victim",
                "/bin/rm secret/victim",
                "sh -c 'rm secret/victim'",
                "find . -name victim -exec rm {} +",
                "echo secret/victim | xargs rm",
                "x=rm; $x secret/victim",
                "r''m secret/victim",
                "eval 'rm secret/victim'",
                "cat <<E\n$(rm secret/victim)\nE",
                "echo ${x:-$(rm secret/victim)}",
                "$'rm' secret/victim",
                "{rm,secret/victim}",
                "ls() { rm secret/victim; }; ls",
                "PATH=tools:$PATH ls",
                "export PATH=tools; ls",
                "tools/ls",
                "./tools/ls",
                "cd tools && ./ls",
                "trap 'rm secret/victim' EXIT",
                "echo 'rm secret/victim' | sh",
                "echo 'rm secret/victim' > s; . ./s",
                "echo 'rm secret/victim' > s; sh s",
                "BASH_ENV=s bash -c ls",
                "time rm secret/victim",
                "timeout 5 rm secret/victim",
                "nohup rm secret/victim",
            })
    void a_command_that_is_not_allowed_does_not_run(String command) throws IOException {
        Path evil = gate.file("tools/ls", "#!/bin/sh\nrm " + victim + "\n");
        assertThat(evil.toFile().setExecutable(true, false)).isTrue();
        gate.allowing(commands(
                List.of("ls echo cat find xargs env sh bash eval cd export time timeout nohup".split(" ")), null));

        Failure failure = gate.refused("bash", Map.of("command", command));

        assertThat(failure.code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
        assertThat(failure.message()).contains("Shell.Exec").contains("allowedCommands");
    }

    @Test
    void the_tool_refuses_a_disallowed_command_as_well() {
        gate.allowing(CapabilityGrant.named("Shell.Exec"));
        Call call = gate.call("bash", Map.of("command", "rm secret/victim"))
                .within(new Bounds(null, null, null, null, List.of(), null, List.of("ls"), List.of()));

        assertThat(gate.send(call)).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void allowed_commands_run_with_system_programs() throws IOException {
        Path evil = gate.file("ls", "#!/bin/sh\nrm " + victim + "\n");
        assertThat(evil.toFile().setExecutable(true, false)).isTrue();
        gate.allowing(commands(List.of("ls", "grep", "echo"), List.of("rm")));

        assertThat(gate.completed("bash", Map.of("command", "ls src | grep a && echo \"$(ls src)\""))
                        .text())
                .contains("a.txt\na.txt");
    }

    @Test
    void a_blocked_command_does_not_run() {
        gate.allowing(commands(null, List.of("rm")));

        assertThat(gate.refused("bash", Map.of("command", "cd secret; /bin/rm victim"))
                        .code())
                .isEqualTo(ErrorCode.CAPABILITY_DENIED);
        assertThat(gate.completed("bash", Map.of("command", "ls src; cat src/a.txt"))
                        .text())
                .contains("hello");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat secret/victim",
                "cat ../secret/victim",
                "cat src/../secret/victim",
                "cat $PWD/secret/victim",
                "cat src/link/victim",
                "cat src/hop",
                "ln -s ../secret src/mine; cat src/mine/victim",
                "find / -name victim -exec cat {} + 2>/dev/null",
                "mkdir secret; cat secret/victim",
                "mv secret other; cat other/victim",
            })
    void a_command_sees_only_the_allowed_paths(String command) throws IOException {
        Files.createSymbolicLink(gate.workspace.resolve("src/link"), gate.workspace.resolve("secret"));
        Files.createSymbolicLink(gate.workspace.resolve("src/hop"), Path.of("../secret/victim"));
        gate.allowing(paths("Shell.Exec", List.of("src"), null));

        assertThat(gate.completed("bash", Map.of("command", command)).text()).doesNotContain("untouched");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat secret/victim",
                "cat secret/*",
                "cat src/link/victim",
                "echo gone > secret/victim",
                "rm -rf secret",
                "mv secret other; cat other/victim",
                "mv deep/in other; cat other/hidden",
                "cat deep/in/hidden",
                "cp -r . /tmp/all; cat /tmp/all/secret/victim",
            })
    void a_command_does_not_see_the_blocked_paths(String command) throws IOException {
        Path hidden = gate.file("deep/in/hidden", "untouched");
        Files.createSymbolicLink(gate.workspace.resolve("src/link"), gate.workspace.resolve("secret"));
        gate.allowing(paths("Shell.Exec", null, List.of("secret/**", gate.workspace + "/deep/in/hidden")));

        assertThat(gate.completed("bash", Map.of("command", command)).text()).doesNotContain("untouched");
        assertThat(hidden).hasContent("untouched");
    }

    @Test
    void a_command_can_use_the_allowed_paths() throws IOException {
        gate.file("docs/b.txt", "b");
        gate.file("secret/open.txt", "open");
        gate.allowing(
                paths("Shell.Exec", List.of("src", gate.workspace + "/docs/b.txt", "missing"), List.of("src/private")));
        gate.file("src/private/c.txt", "c");

        Output output = gate.completed(
                "bash", Map.of("command", "cat src/a.txt docs/b.txt; echo more >> src/a.txt; ls . src src/private"));

        assertThat(output.text()).contains("hellob").doesNotContain("c.txt").doesNotContain("secret");
        assertThat(gate.workspace.resolve("src/a.txt")).hasContent("hellomore");
    }

    @Test
    void the_repository_stays_protected_when_parts_are_allowed() throws IOException {
        Path hook = gate.file(".git/hooks/pre-commit", "untouched");
        Path config = gate.file(".git/config", "untouched");
        gate.file(".git/refs/private/x", "x");
        for (CapabilityGrant limited : List.of(
                paths("Shell.Exec", List.of(".git"), null),
                paths("Shell.Exec", List.of(".git/hooks", ".git/config"), null),
                paths("Shell.Exec", null, List.of(".git/refs/private")))) {
            gate.allowing(limited);
            gate.completed("bash", Map.of("command", "echo bad > .git/hooks/pre-commit; echo bad > .git/config"));
            gate.completed("bash", Map.of("command", "mv .git other; echo bad > other/hooks/pre-commit"));
        }

        assertThat(hook).hasContent("untouched");
        assertThat(config).hasContent("untouched");
    }

    @ParameterizedTest
    @ValueSource(strings = {"**/*.key", "not-there", "/usr/bin"})
    void a_block_the_sandbox_cannot_enforce_refuses_the_command(String pattern) {
        gate.allowing(paths("Shell.Exec", null, List.of(pattern)));

        assertThat(gate.failed("bash", Map.of("command", "touch src/ran")).message())
                .contains("command");
        assertThat(gate.workspace.resolve("src/ran")).doesNotExist();
    }

    @Test
    void a_link_within_an_allowed_path_refuses_the_command() throws IOException {
        Files.createSymbolicLink(gate.workspace.resolve("open"), gate.workspace.resolve("secret"));
        gate.allowing(paths("Shell.Exec", List.of("open"), null));

        assertThat(gate.failed("bash", Map.of("command", "cat open/victim")).message())
                .contains("symbolic link");
    }

    @Test
    void a_command_starts_only_in_an_allowed_folder() {
        gate.allowing(paths("Shell.Exec", List.of("src"), null));

        assertThat(gate.refused("bash", Map.of("command", "ls", "cwd", "secret"))
                        .message())
                .contains("'secret' is not among the paths the policy allows: [src]");
        assertThat(gate.completed("bash", Map.of("command", "ls", "cwd", "src")).text())
                .contains("a.txt");
    }

    @Test
    void a_command_cannot_write_a_larger_file_than_allowed() {
        gate.allowing(new CapabilityGrant("Shell.Exec", null, null, null, null, null, null, 2048L, null, false, null));

        gate.completed(
                "bash", Map.of("command", "head -c 1000 /dev/zero > src/small; head -c 9000 /dev/zero > src/big"));

        assertThat(gate.workspace.resolve("src/small")).hasSize(1000);
        assertThat(gate.workspace.resolve("src/big").toFile().length()).isLessThanOrEqualTo(2048);
    }

    private static CapabilityGrant commands(@Nullable List<String> allowed, @Nullable List<String> blocked) {
        return new CapabilityGrant("Shell.Exec", null, null, allowed, blocked, null, null, null, null, false, null);
    }
}
