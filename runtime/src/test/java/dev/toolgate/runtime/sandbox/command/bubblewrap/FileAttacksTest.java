package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import dev.toolgate.runtime.sandbox.command.bubblewrap.SandboxFixture.Result;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Reading secrets and writing outside. */
class FileAttacksTest extends SandboxAttacks {
    private static final String SECRET = "hunter2-secret";

    @Test
    void cannot_read_keys_configuration_or_environment_files() throws Exception {
        Path ssh = fixture.file(fixture.outside.resolve("home/.ssh/id_ed25519"), SECRET);
        Path aws = fixture.file(fixture.outside.resolve("home/.aws/credentials"), SECRET);
        Path configuration = fixture.file(fixture.outside.resolve("toolgate.yaml"), SECRET);
        fixture.file(fixture.workspace.resolve(".env"), SECRET);
        fixture.file(fixture.workspace.resolve(".env.local"), SECRET);
        fixture.file(fixture.workspace.resolve("packages/api/.env"), SECRET);
        fixture.file(fixture.workspace.resolve(".ssh/id_ed25519"), SECRET);
        String attack = "cat " + ssh + " " + aws + " " + configuration
                + " .env .env.local packages/api/.env .ssh/id_ed25519; cat ~/.ssh/* ~/.aws/* /etc/shadow; true";

        assertThat(unconfined(attack).out().split(SECRET, -1)).hasSize(8);
        assertThat(confined(attack).out()).doesNotContain(SECRET);
        assertThat(fixture.workspace.resolve(".env")).hasContent(SECRET);
    }

    @Test
    void cannot_read_a_secret_by_case_in_a_folder_or_by_a_link() throws Exception {
        fixture.file(fixture.workspace.resolve(".ENV"), SECRET);
        fixture.file(fixture.workspace.resolve(".envs/production/postgres"), SECRET);
        fixture.file(fixture.workspace.resolve("a/b/c/d/production"), SECRET);
        Files.createSymbolicLink(fixture.workspace.resolve(".env"), Path.of("a/b/c/d/production"));
        fixture.file(fixture.workspace.resolve(".ssh/config"), SECRET);
        Files.createSymbolicLink(fixture.workspace.resolve("a/.env"), Path.of("../.ssh/config"));
        Files.createSymbolicLink(fixture.workspace.resolve(".env.all"), Path.of("."));
        Files.createSymbolicLink(fixture.workspace.resolve(".env.outside"), fixture.outside);
        Files.createSymbolicLink(fixture.workspace.resolve(".env.nothing"), Path.of("nothing"));
        fixture.file(fixture.workspace.resolve("a/.env.d/pyvenv.cfg"), "a python environment");
        String attack = "cat .ENV .envs/*/* .env a/b/c/d/production a/.env .ssh/config; mv a/b/c x; cat x/d/production;"
                + " cat a/.env.d/*";

        Result confined = confined(attack);
        assertThat(confined.out()).isEqualTo("a python environment");
        assertThat(unconfined(attack).out()).contains(SECRET);
    }

    @Test
    void masks_a_link_target_that_changed_after_preparation() throws Exception {
        Path target = fixture.file(fixture.workspace.resolve("a/b/c/d/production"), "old");
        Files.createSymbolicLink(fixture.workspace.resolve(".env"), Path.of("a/b/c/d/production"));
        confined("true");
        Waiting.until(() -> sandbox.preparedCount(fixture.workspace) == 2);
        Files.move(fixture.file(fixture.outside.resolve("new"), SECRET), target, StandardCopyOption.REPLACE_EXISTING);

        assertThat(confined("cat .env a/b/c/d/production; chmod 444 a/b/c").out())
                .isEmpty();
        try {
            assertThat(confined("chmod 755 a/b/c; cat .env").out()).isEmpty();
        } catch (ToolFailure refused) {
            assertThat(refused).hasMessageContaining(".env leads through a folder without permissions");
            fixture.unconfined("chmod 755 a/b/c");
        }
    }

    @Test
    void cannot_hide_a_secret_among_too_many_folders() throws Exception {
        fixture.file(fixture.workspace.resolve("private/.env"), SECRET);
        confined("seq 20100 | xargs mkdir");

        assertThatThrownBy(() -> confined("cat private/.env"))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("more than 20000 folders");
    }

    @Test
    void cannot_move_link_or_unmask_masked_files() throws Exception {
        Path env = fixture.file(fixture.workspace.resolve(".env"), SECRET);
        Path nested = fixture.file(fixture.workspace.resolve("packages/api/.env"), SECRET);
        String attack = "mv .env a; ln .env b; cp .env c; mv packages/api d; mv packages e; rm -f .env; umount .env;"
                + " ln -s packages/api/.env f; echo x > .env; cat a b c d/.env e/api/.env f .env packages/api/.env; true";

        confined(attack);
        String found = confined("grep -rl " + SECRET + " . ; cat a b c d/.env e/api/.env f; true")
                .out();

        assertThat(found).doesNotContain(SECRET).isEmpty();
        assertThat(env).hasContent(SECRET);
        assertThat(nested).hasContent(SECRET);
    }

    @Test
    void masks_an_environment_file_created_after_preparation() throws Exception {
        confined("true");
        Waiting.until(() -> sandbox.preparedCount(fixture.workspace) == 2);
        fixture.file(fixture.workspace.resolve(".env"), SECRET);

        assertThat(confined("cat .env").out()).isEmpty();
    }

    @Test
    void waits_for_another_server_in_the_same_workspace() throws Exception {
        SandboxSettings alone = SandboxFixture.smallSettings().with(WorkspaceSharing.ONE_AT_A_TIME);
        try (BubblewrapSandbox other = fixture.sandbox(alone);
                BubblewrapSandbox own = fixture.sandbox(alone)) {
            CompletableFuture<String> second = new CompletableFuture<>();
            try (RunningCommand first = other.start(fixture.request("read line"))) {
                Thread.ofVirtual().start(() -> {
                    try {
                        second.complete(fixture.confined(own, "echo second").out());
                    } catch (Exception failed) {
                        second.completeExceptionally(failed);
                    }
                });
                assertThatThrownBy(() -> second.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
                first.stdin().close();
            }
            assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("second\n");
        }
    }

    @Test
    void cannot_write_outside_directly_or_through_links() throws Exception {
        Path victim = fixture.file(fixture.outside.resolve("victim.txt"), "untouched");
        Path secret = fixture.file(fixture.outside.resolve("secret.txt"), SECRET);
        String attack = "echo owned > " + victim + "; echo owned > ../outside/victim.txt;"
                + " ln -s " + fixture.outside + " link; echo owned > link/victim.txt;"
                + " ln -s / root; echo owned > root" + victim + ";"
                + " for p in 1 self thread-self " + ProcessHandle.current().pid() + "; do"
                + " echo owned > /proc/$p/root" + victim + "; echo owned > /proc/$p/cwd/../outside/victim.txt; done;"
                + " ln " + secret + " hard; cat hard link/secret.txt root" + secret + " /proc/*/root" + secret
                + "; true";

        Result confined = confined(attack);
        assertThat(victim).hasContent("untouched");
        assertThat(confined.out()).doesNotContain(SECRET);
        assertThat(fixture.workspace.resolve("hard")).doesNotExist();

        confined("rm -f link root hard");
        assertThat(unconfined(attack).out()).contains(SECRET);
        assertThat(victim).hasContent("owned\n");
    }

    @Test
    void cannot_make_the_next_sandbox_follow_a_planted_link() throws Exception {
        Path victim = fixture.file(fixture.outside.resolve("hooks/pre-commit"), "untouched");
        confined("ln -s ../outside .git");

        assertThatThrownBy(() -> confined("echo owned > .git/hooks/pre-commit; echo owned > .git/new"))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining(".git is a symbolic link");
        assertThat(victim).hasContent("untouched");
        assertThat(fixture.outside.resolve("new")).doesNotExist();
    }

    @Test
    void cannot_plant_a_link_inside_the_repository_either() throws Exception {
        fixture.file(fixture.outside.resolve("pre-commit"), "untouched");
        fixture.file(fixture.workspace.resolve(".git/config"), "[core]");
        Files.createSymbolicLink(fixture.workspace.resolve(".git/hooks"), fixture.outside);

        assertThatThrownBy(() -> confined("echo owned > .git/hooks/pre-commit"))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("symbolic link");
        assertThat(fixture.outside.resolve("pre-commit")).hasContent("untouched");
    }

    @Test
    void cannot_change_hooks_or_config_even_by_renaming() throws Exception {
        Path hook = fixture.file(fixture.workspace.resolve(".git/hooks/pre-commit"), "untouched");
        Path config = fixture.file(fixture.workspace.resolve(".git/config"), "untouched");
        fixture.file(fixture.workspace.resolve(".git/HEAD"), "ref: refs/heads/main");
        String attack = "echo owned > .git/hooks/pre-commit; rm -rf .git/hooks; echo owned > .git/config;"
                + " mv .git/hooks .git/x; mv .git gone && mkdir -p .git/hooks && echo owned > .git/hooks/pre-commit;"
                + " echo changed > .git/HEAD; true";

        confined(attack);

        assertThat(hook).hasContent("untouched");
        assertThat(config).hasContent("untouched");
        assertThat(fixture.workspace.resolve(".git/HEAD")).hasContent("changed\n");
        assertThat(fixture.workspace.resolve("gone")).doesNotExist();
        unconfined(attack);
        assertThat(hook).hasContent("owned\n");
    }

    @Test
    void cannot_make_a_later_git_obey_other_settings() throws Exception {
        fixture.unconfined("git init -q . && git config extensions.worktreeConfig true");
        Path owned = fixture.outside.resolve("owned");
        String settings = "printf '[core]\\nfsmonitor = \"touch " + owned + "; false\"\\n'";
        String attack = "mkdir -p evil; cp -r .git/objects .git/refs evil; " + settings + " > evil/config; " + settings
                + " > .git/config.worktree; echo ../evil > .git/commondir; true";

        confined(attack);
        Result status = fixture.unconfined("git status");
        assertThat(owned).doesNotExist();
        assertThat(status.exit()).as(status.err()).isZero();

        fixture.unconfined("rm -f .git/config.worktree; " + attack);
        fixture.unconfined("git status");
        assertThat(owned).exists();
        assertThatThrownBy(() -> confined("true"))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("commondir");
    }

    @Test
    void cannot_remove_a_file_outside_by_a_planted_repository() throws Exception {
        Path victim = fixture.file(fixture.outside.resolve("commondir"), "untouched");

        confined("ln -s ../outside .git");

        assertThat(victim).hasContent("untouched");
    }

    @Test
    void cannot_add_hooks_to_a_repository_that_has_none() throws Exception {
        fixture.file(fixture.workspace.resolve(".git/HEAD"), "ref: refs/heads/main");

        confined("mkdir -p .git/hooks; echo owned > .git/hooks/pre-commit; echo owned > .git/config; true");

        assertThat(fixture.workspace.resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(
                        Files.exists(fixture.workspace.resolve(".git/config"))
                                ? Files.readString(fixture.workspace.resolve(".git/config"))
                                : "")
                .isEmpty();
    }

    @Test
    void cannot_hide_a_secret_from_the_next_scan_or_break_it() throws Exception {
        fixture.file(fixture.workspace.resolve("private/.env"), SECRET);
        fixture.folder(fixture.workspace.resolve("empty"));
        confined("chmod 000 private empty");

        String out = confined("chmod 700 private empty; cat private/.env; echo still here")
                .out();

        for (String folder : List.of("private", "empty")) {
            Files.setPosixFilePermissions(
                    fixture.workspace.resolve(folder), PosixFilePermissions.fromString("rwx------"));
        }
        assertThat(out).doesNotContain(SECRET).isEqualTo("still here\n");
    }

    @Test
    void reports_too_many_masked_files_left_by_a_command() throws Exception {
        confined("for i in $(seq 300); do : > .env$i; done");

        assertThatThrownBy(() -> confined("true"))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("more than 256 dangerous paths such as .env");
    }

    @Test
    void refuses_a_workspace_reached_through_a_link() throws Exception {
        Path link = Files.createSymbolicLink(fixture.base.resolve("link"), fixture.outside);

        assertThatThrownBy(() -> WorkspaceShape.of(link, DangerousPaths.standard()))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("symbolic link");
        fixture.folder(fixture.outside.resolve("deep"));
        assertThatThrownBy(() -> WorkspaceShape.of(link.resolve("deep"), DangerousPaths.standard()))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("symbolic link");
    }

    @Test
    void cannot_write_to_system_or_kernel_settings() throws Exception {
        // Opened for writing without writing, so that a successful attack does no harm.
        String attack = "for f in /usr/x /etc/x /x /dev/x /run/../bin/x /proc/sys/kernel/core_pattern"
                + " /proc/sysrq-trigger; do printf '' >> $f && echo opened $f; done; true";

        assertThat(confined(attack).out()).isEmpty();
    }

    @Test
    void also_blocked_with_the_default_limits() throws Exception {
        Path victim = fixture.file(fixture.outside.resolve("victim.txt"), "untouched");
        try (BubblewrapSandbox standard = fixture.sandbox(SandboxSettings.standard())) {
            fixture.confined(standard, "echo owned > " + victim + "; true");
        }
        assertThat(victim).hasContent("untouched");
    }
}
