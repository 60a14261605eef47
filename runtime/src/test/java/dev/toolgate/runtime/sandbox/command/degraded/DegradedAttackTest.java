package dev.toolgate.runtime.sandbox.command.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every attack must first succeed without the sandbox, as the same account. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class DegradedAttackTest extends WithDegradedSandbox {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat VICTIM",
                "cat ../outside/victim",
                "ln -sfn VICTIM link && cat link",
                "ln -sfn ../outside folder && cat folder/victim",
                "rm -f hard && ln VICTIM hard && cat hard",
                "cp VICTIM copy && cat copy",
                "cd ../outside && cat victim",
                "cat /proc/self/root/VICTIM"
            })
    void cannot_read_outside(String attack) throws Exception {
        assumeTrue(Landlock.version() > 0);
        String command = attack.replace("VICTIM", fixture.victim("a secret").toString());
        assertThat(fixture.runUnconfined(command).out()).contains("a secret");
        assertThat(fixture.run(command).out()).doesNotContain("a secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo changed > VICTIM",
                "truncate -s 0 VICTIM",
                "rm -f VICTIM",
                "mv VICTIM taken",
                "mv -f mine VICTIM",
                "ln -sfn VICTIM link && echo changed > link",
                "touch ../outside/more && rm VICTIM"
            })
    void cannot_change_anything_outside(String attack) throws Exception {
        assumeTrue(Landlock.version() > 0);
        String command = attack.replace("VICTIM", fixture.victim("as it was").toString());
        fixture.runUnconfined("echo mine > mine");
        fixture.run(command);
        assertThat(fixture.outside).isDirectoryContaining("glob:**/victim");
        assertThat(fixture.outside.resolve("victim")).hasContent("as it was");
        assertThat(fixture.outside.resolve("more")).doesNotExist();
        fixture.runUnconfined("echo mine > mine;" + command);
        assertThat(Files.exists(fixture.outside.resolve("victim"))
                        && Files.readString(fixture.outside.resolve("victim")).equals("as it was"))
                .as("the attack had no effect without the sandbox")
                .isFalse();
    }

    @Test
    void cannot_see_the_environment_of_a_process_of_its_own_account() throws Exception {
        assumeTrue(Landlock.version() > 0);
        try (Bystander bystander = new Bystander()) {
            String command = "tr '\\0' '\\n' < /proc/" + bystander.pid() + "/environ";
            assertThat(fixture.runUnconfined(command).out()).contains("SECRET=of-the-server");
            assertThat(fixture.run(command).out()).doesNotContain("SECRET");
        }
    }

    @Test
    void cannot_signal_a_process_of_its_own_account() throws Exception {
        assumeTrue(Landlock.version() >= 6);
        try (Bystander bystander = new Bystander()) {
            assertThat(fixture.run("kill -9 " + bystander.pid()).exit()).isNotZero();
            assertThat(bystander.isAlive()).isTrue();
            assertThat(fixture.runUnconfined("kill -9 " + bystander.pid()).exit())
                    .isZero();
        }
    }

    @Test
    void cannot_connect_to_a_server_on_this_machine() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String connect = "perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(\"127.0.0.1:"
                    + server.getLocalPort() + "\") ? \"connected\" : \"no\"'";
            assertThat(fixture.runUnconfined(connect).out()).isEqualTo("connected");
            assertThat(fixture.run(connect).out()).isEqualTo("no");
        }
    }

    @Test
    void cannot_connect_to_a_unix_socket() throws Exception {
        Path socket = fixture.workspace.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            String connect = "perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(\"" + socket
                    + "\") ? \"connected\" : \"no\"'";
            assertThat(fixture.runUnconfined(connect).out()).isEqualTo("connected");
            assertThat(fixture.run(connect).out()).isEqualTo("no");
        }
    }

    @Test
    void cannot_create_a_namespace() throws Exception {
        String attack = "unshare --user true";
        assumeTrue(fixture.runUnconfined(attack).exit() == 0);
        assertThat(fixture.run(attack).exit()).isNotZero();
    }

    @Test
    void gains_no_rights_from_a_set_uid_program() throws Exception {
        assumeTrue(DegradedFixture.ROOT);
        Path program = Files.copy(Path.of("/usr/bin/id"), fixture.workspace.resolve("id"));
        Files.setAttribute(program, "unix:mode", 0104755);
        assertThat(fixture.runUnconfined("./id -u").out()).isEqualTo("0\n");
        assertThat(fixture.run("./id -u").out()).isEqualTo("65534\n");
    }

    @Test
    void cannot_exceed_the_memory_limit_in_one_process() throws Exception {
        assertThat(fixture.run("perl -e '$x = \"a\" x (5 << 30); print \"taken\"'")
                        .out())
                .isEmpty();
        assertThat(fixture.run("perl -e '$x = \"a\" x (5 << 20); print \"taken\"'")
                        .out())
                .isEqualTo("taken");
    }

    @Test
    void inherits_no_open_file_of_the_server() throws Exception {
        Pipe leaky = Libc.pipe();
        try {
            // The JVM's own files have close-on-exec set; this one does not.
            Libc.syscall(Fcntl.NUMBER, leaky.readEnd(), Fcntl.SET_FLAGS, 0, 0).orThrow("fcntl");
            String look = "perl -e 'for (3..400) { print \"$_ \" if open(my $h, \"<&=\", $_) }'";
            assertThat(fixture.run(look).out()).isEmpty();
        } finally {
            leaky.close();
        }
    }

    /** A process of the command's account with a secret in its environment, like the server. */
    private static final class Bystander implements AutoCloseable {
        private final Process process;

        Bystander() throws Exception {
            List<String> drop = DegradedFixture.ROOT
                    ? List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c")
                    : List.of("sh", "-c");
            ProcessBuilder builder = new ProcessBuilder(Stream.concat(drop.stream(), Stream.of("echo up; read -r _"))
                    .toList());
            builder.environment().put("SECRET", "of-the-server");
            process = builder.start();
            assertThat(process.inputReader().readLine()).isEqualTo("up");
        }

        long pid() {
            return process.pid();
        }

        boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private static final class Fcntl {
        static final int SET_FLAGS = 2;
        static final int NUMBER = System.getProperty("os.arch").equals("aarch64") ? 25 : 72;
    }
}
