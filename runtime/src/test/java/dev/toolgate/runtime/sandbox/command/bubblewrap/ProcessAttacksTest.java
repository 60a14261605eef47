package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.runtime.sandbox.command.CommandRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attacks on other processes, keyrings and terminals, and privilege escalation. */
class ProcessAttacksTest extends SandboxAttacks {
    /** A folder with a root-owned set-uid copy of id, created by the root process that started this one. */
    static final String SUID_FOLDER = "toolgate.attack.suid";

    private static final String SECRET = "hunter2-secret";

    @Test
    void cannot_read_environment_memory_map_or_files_of_the_server() throws Exception {
        Process server = fixture.victim(Map.of("DATABASE_PASSWORD", SECRET), "sleep", "300");
        String readAll = "cat /proc/" + server.pid() + "/environ /proc/" + server.pid() + "/maps;" + " ls -l /proc/"
                + server.pid() + "/fd; cat /proc/*/environ /proc/[0-9]*/cmdline; true";
        Waiting.until(() -> unconfined(readAll).out().contains(SECRET));

        assertThat(unconfined(readAll).out()).contains(SECRET, "libc", "victim-0");
        assertThat(confined(readAll).out()).doesNotContain(SECRET, "victim-0", "libjvm");
        String serverItself = "cat /proc/" + ProcessHandle.current().pid() + "/cmdline | tr '\\0' ' '";
        assertThat(unconfined(serverItself).out()).contains("java");
        assertThat(confined(serverItself).out()).doesNotContain("java");
    }

    @Test
    void cannot_signal_the_server() throws Exception {
        Process server = fixture.victim(Map.of(), "sleep", "300");
        String attack = "kill -9 " + server.pid() + "; kill -9 -1; true";

        confined(attack);

        assertThat(server.isAlive()).isTrue();
        assertThat(unconfined("kill -9 " + server.pid()).exit()).isZero();
        Waiting.until(() -> !server.isAlive());
    }

    @Test
    void cannot_trace_the_server_or_reach_its_memory() throws Exception {
        Process server = fixture.victim(Map.of(), "sleep", "300");
        Waiting.until(() ->
                Files.readString(Path.of("/proc", "" + server.pid(), "comm")).equals("sleep\n"));
        String seize = syscall(101, 117, "0x4206, " + server.pid() + ", 0, 0");
        String memory = "exec 3</proc/" + server.pid() + "/mem && echo opened";

        assertThat(confined(seize).out()).isEqualTo("-1\n");
        assertThat(confined(memory).out()).isEmpty();
        // The filter refuses tracing even of its own child.
        assertThat(confined(syscall(101, 117, "0, 0, 0, 0")).out()).isEqualTo("-1\n");
        assertThat(unconfined(seize).out()).isEqualTo("0\n");
        assertThat(unconfined(memory).out()).isEqualTo("opened\n");
    }

    @Test
    void cannot_use_the_keyring() throws Exception {
        String name = "toolgate-attack-" + System.nanoTime();
        String addKey = syscall(248, 217, "my $t = \"user\", my $n = \"" + name + "\", my $p = \"payload\", 7, -4");
        String listed = "grep -c " + name + " /proc/keys; true";

        assertThat(confined(addKey).out()).isEqualTo("-1\n");
        assertThat(unconfined(listed).out()).isEqualTo("0\n");
        assertThat(unconfined(addKey + "; " + listed).out())
                .doesNotContain("-1\n")
                .endsWith("1\n");
        assertThat(confined("cat /proc/keys").out()).doesNotContain(name);
    }

    @Test
    void cannot_type_into_a_terminal() throws Exception {
        // Types a letter into a terminal of the account, as leader of its session.
        String type = "perl -e '$c = \"x\"; print ioctl(STDIN, 0x5412, $c) ? \"typed\" : $!{EPERM} ? \"refused\" : $!'";
        String inTerminal = "script -qec \"perl attack.pl\" /dev/null </dev/null";
        fixture.file(
                fixture.workspace.resolve("attack.pl"),
                "$c = \"x\"; print ioctl(STDIN, 0x5412, $c) ? \"typed\" : $!{EPERM} ? \"refused\" : \"$!\";");

        assertThat(confined(type).out()).isEqualTo("refused");
        assertThat(confined(inTerminal).out()).contains("refused");
        assertThat(confined("exec 3</dev/tty && echo opened").out()).isEmpty();
        // New kernels may refuse it for every process, with another error.
        assertThat(unconfined(inTerminal).out()).doesNotContain("refused");
    }

    @Test
    void gains_no_rights_from_a_set_uid_program() throws Exception {
        Path folder = suidFolder();
        String id = "./suid-id -u";
        CommandRequest request = CommandRequest.inWholeWorkspace(id, folder, folder, Map.of(), List.of());

        Process plain = fixture.asAccount("/bin/sh", "-c", id)
                .directory(folder.toFile())
                .start();
        assertThat(plain.getInputStream().readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("0\n");
        assertThat(SandboxFixture.run(sandbox, request).out()).isEqualTo(fixture.account.uid() + "\n");
    }

    private Path suidFolder() throws Exception {
        if (!SandboxFixture.runsAsRoot()) {
            String given = System.getProperty(SUID_FOLDER, "");
            assumeTrue(!given.isEmpty(), "only root can create a set-uid program owned by root");
            return Path.of(given);
        }
        makeSuid(fixture.workspace);
        return fixture.workspace;
    }

    static void makeSuid(Path folder) throws Exception {
        Path id = folder.resolve("suid-id");
        Files.copy(Path.of("/usr/bin/id"), id, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(id, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setAttribute(id, "unix:mode", 0104755);
    }

    @Test
    void cannot_create_namespaces_or_mount() throws Exception {
        String user = "unshare -U true && echo opened";
        String mount = "mkdir -p m && unshare -Urm mount -t tmpfs none m && echo mounted";
        String chroot = "unshare -Ur chroot . && echo inside";

        assertThat(confined(user).out()).isEmpty();
        assertThat(confined(mount).out()).isEmpty();
        assertThat(confined("mkdir -p m; mount -t tmpfs none m && echo mounted").out())
                .isEmpty();
        assertThat(confined("umount /proc && echo gone; umount " + fixture.workspace + " && echo gone")
                        .out())
                .isEmpty();
        assertThat(confined(chroot).out()).isEmpty();
        assertThat(unconfined(user).out()).isEqualTo("opened\n");
        assertThat(unconfined(mount).out()).isEqualTo("mounted\n");
    }

    @Test
    void runs_as_an_unprivileged_account() throws Exception {
        assertThat(confined("id -u").out()).isEqualTo(fixture.account.uid() + "\n");
        assertThat(confined("grep -E '^Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/self/status | grep -vc '0000000000000000'")
                        .out())
                .isEqualTo("0\n");
        assertThat(confined("echo *; ls /proc/self/fd | tr '\\n' ' '").out()).doesNotContain(" 8 ", " 9 ");
    }
}
