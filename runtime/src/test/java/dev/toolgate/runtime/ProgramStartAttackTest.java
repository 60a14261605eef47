package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Attacks in which an allowed program is made to start another one; none may create the file. */
class ProgramStartAttackTest extends WithSessionGate {
    private static final List<String> LISTED = List.of(
            "git sed awk find xargs tar sort split perl python3 make env echo cat ls mkdir cp cd true seq printf"
                    .split(" "));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git -c alias.x='!touch planted' x",
                "git -c core.fsmonitor='touch planted; true' status",
                "git -c diff.external='touch planted; true' diff HEAD~1",
                "git rebase -x 'touch planted' HEAD~1",
                "git bisect start HEAD HEAD~1; git bisect run touch planted",
                "git fetch --upload-pack='touch planted; true' . HEAD",
                "git clone -u 'touch planted; git-upload-pack' . /tmp/copy",
                "x='. -c core.fsmonitor=touch${IFS}planted;true'; git -C $x status",
                "x=' --upload-pack=touch${IFS}planted;true'; git fetch .$x HEAD",
                "x=' -e 1etouch${IFS}planted'; sed p a.txt$x",
                "git config --global alias.x '!touch planted'; git x",
                "mkdir -p t/hooks; printf '#!/bin/sh\\ntouch '$PWD'/planted' > t/hooks/post-checkout;"
                        + " chmod +x t/hooks/post-checkout; git clone --template=$PWD/t . /tmp/copy",
                "GIT_EXTERNAL_DIFF='touch planted; true' git diff HEAD~1",
                "sed '1e touch planted' a.txt",
                "sed 's/two/touch planted/e' a.txt",
                "awk 'BEGIN{system(\"touch planted\")}'",
                "awk 'BEGIN{print \"x\" | \"touch planted\"}'",
                "awk 'BEGIN{\"touch planted\" | getline}'",
                "find . -maxdepth 0 -exec touch planted ';'",
                "echo planted | xargs touch",
                "tar cf /tmp/x a.txt; tar xf /tmp/x --to-command='touch planted'",
                "tar cf /tmp/x --checkpoint=1 --checkpoint-action=exec='touch planted' a.txt",
                "tar -cf /tmp/x -I 'touch planted; cat' a.txt",
                "split --filter='touch planted; cat' a.txt",
                "perl -e 'open(F, \">planted\")'",
                "python3 -c 'open(\"planted\", \"w\")'",
                "printf 'all:\\n\\ttouch planted\\n' > Makefile; make",
                "env touch planted"
            })
    void an_allowed_program_cannot_be_made_to_start_another(String attack) throws IOException {
        repository();

        gate.allowing(CapabilityGrant.named("Shell.Exec"));
        gate.send("bash", Map.of("command", attack));
        assertThat(planted()).as("the attack works where nothing is limited").exists();
        Files.deleteIfExists(planted());

        gate.allowing(allowing(LISTED));
        assertThat(gate.refused("bash", Map.of("command", attack)).message()).contains("allowedCommands");
        assertThat(planted()).doesNotExist();
    }

    @Test
    void git_ignores_settings_planted_in_the_home_folder() throws IOException {
        repository();
        String attack = "echo '[core]fsmonitor=\"touch planted; true\"' > ~/.gitconfig; git status";
        gate.allowing(CapabilityGrant.named("Shell.Exec"));
        gate.send("bash", Map.of("command", attack));
        assertThat(planted()).as("the attack works where nothing is limited").exists();
        Files.delete(planted());

        gate.allowing(allowing(List.of("echo", "git status")));
        gate.completed("bash", Map.of("command", attack));
        assertThat(planted()).doesNotExist();
    }

    @Test
    void git_ignores_the_settings_of_a_planted_bare_repository() throws IOException {
        bare("bare", "");
        gate.allowing(CapabilityGrant.named("Shell.Exec"));
        gate.send("bash", Map.of("command", "env -u GIT_CONFIG_COUNT git status", "cwd", "bare"));
        assertThat(planted()).as("the attack works without the git setting").exists();
        Files.delete(planted());

        gate.send("bash", Map.of("command", "git status", "cwd", "bare"));
        assertThat(planted()).doesNotExist();

        gate.allowing(allowing(List.of("git status", "git log")));
        gate.send("bash", Map.of("command", "git status", "cwd", "bare"));
        assertThat(planted()).doesNotExist();
    }

    @Test
    void git_ignores_a_planted_pointer_to_other_settings() throws IOException {
        bare("sub/planted-repository", "\tbare = false\n\tworktree = " + gate.workspace + "/sub\n");
        gate.allowing(allowing(List.of("echo", "git status")));
        gate.completed("bash", Map.of("command", "echo 'gitdir: planted-repository' > .git", "cwd", "sub"));

        gate.send("bash", Map.of("command", "git status", "cwd", "sub"));
        assertThat(planted()).doesNotExist();

        gate.allowing(CapabilityGrant.named("Shell.Exec"));
        gate.send("bash", Map.of("command", "git status", "cwd", "sub"));
        assertThat(planted()).as("the attack works where nothing is limited").exists();
    }

    @Test
    void an_allowed_subcommand_works_in_the_workspace_repository() throws IOException {
        repository();
        gate.allowing(allowing(List.of("git status", "git log", "git diff")));

        assertThat(gate.completed("bash", Map.of("command", "git log --oneline && git status --short", "cwd", "src"))
                        .text())
                .contains("second", "first");
        assertThat(gate.completed("bash", Map.of("command", "git diff HEAD~1")).text())
                .contains("+two");
        assertThat(gate.refused("bash", Map.of("command", "git commit -m x")).message())
                .contains("'git'");
    }

    private Path planted() throws IOException {
        try (var found = Files.find(gate.workspace, 3, (path, _) -> path.endsWith("planted"))) {
            return found.findFirst().orElse(gate.workspace.resolve("planted"));
        }
    }

    /** Two commits in the workspace. */
    private void repository() {
        gate.allowing(CapabilityGrant.named("Shell.Exec"));
        gate.completed(
                "bash",
                Map.of(
                        "command",
                        "git init -q . && git config user.name a && git config user.email a@b && echo one > a.txt"
                                + " && git add a.txt && git commit -qm first && echo two > a.txt && git commit -qam"
                                + " second"));
    }

    private void bare(String folder, String more) throws IOException {
        gate.file(folder + "/HEAD", "ref: refs/heads/main\n");
        gate.file(folder + "/objects/keep", "");
        gate.file(folder + "/refs/keep", "");
        gate.file(
                folder + "/config",
                "[core]\n\trepositoryformatversion = 0\n" + (more.isEmpty() ? "\tbare = false\n\tworktree = .\n" : more)
                        + "\tfsmonitor = \"touch " + gate.workspace + "/planted; true\"\n");
    }

    private static CapabilityGrant allowing(@Nullable List<String> commands) {
        return new CapabilityGrant("Shell.Exec", null, null, commands, null, null, null, null, null, false, null);
    }
}
