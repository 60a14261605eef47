package dev.toolgate.runtime.tools.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.files.Folders;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Special files in place of regular ones give a clear error and never block. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileFilesTest extends WithFileTools {
    private static final List<String> FILE_TOOLS = List.of("file_read", "file_write", "file_delete", "file_list");

    @AfterEach
    void the_victim_is_untouched() throws Exception {
        assertThat(folders.victim()).hasContent(Folders.SECRET);
        try (Stream<Path> outside = Files.list(folders.outside())) {
            assertThat(outside).containsExactly(folders.victim());
        }
    }

    @Test
    void a_named_pipe_is_refused() throws Exception {
        run("mkfifo", "-m", "666", folders.inside().resolve("pipe").toString());
        everyToolRefuses("pipe", "named pipe");
        assertThat(folders.inside().resolve("pipe")).exists();
    }

    @Test
    void a_device_is_refused() throws Exception {
        assumeThat(WorkspaceAccount.current().isRoot())
                .as("only root can make a device")
                .isTrue();
        run("mknod", "-m", "666", folders.inside().resolve("zero").toString(), "c", "1", "5");
        everyToolRefuses("zero", "device");
    }

    @Test
    void a_socket_is_refused() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(folders.inside().resolve("socket")));
            everyToolRefuses("socket", "socket");
        }
    }

    @Test
    void a_folder_is_not_a_file() throws Exception {
        folders.folder("folder");
        for (String tool : List.of("file_read", "file_write", "file_delete")) {
            assertThat(refusal(tool, "folder").message()).contains("is a folder");
        }
    }

    @Test
    void the_root_of_the_process_is_outside() throws Exception {
        Files.createSymbolicLink(folders.inside().resolve("root"), Path.of("/proc/self/root"));
        String way = "root" + folders.victim();
        for (String tool : FILE_TOOLS) {
            assertThat(refusal(tool, way).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(refusal(tool, "/proc/self/root" + folders.victim()).message())
                    .contains("outside the sandbox");
        }
        assertThat(refusal("file_list", "root").message()).contains("outside the sandbox");
    }

    @Test
    void a_hard_link_to_a_file_outside_is_refused() throws Exception {
        Path link = Files.createLink(folders.inside().resolve("hard"), folders.victim());
        assertThat(refusal("file_read", "hard").message()).contains("hard link");
        assertThat(refusal("file_write", "hard").message()).contains("hard link");
        tools.call("file_delete", Map.of("path", "hard"));
        assertThat(link).doesNotExist();
    }

    @Test
    void a_file_of_a_terabyte_is_handled_at_once() throws Exception {
        Path sparse = folders.file("sparse", "");
        try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        assertThat(tools.read("sparse")).isEqualTo("Binary file, 1099511627776 bytes");
        assertThat(tools.call("file_list", Map.of()).text()).contains("1099511627776 bytes");
        Files.writeString(sparse, "begins as text\n".repeat(10_000));
        try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        assertThat(tools.read("sparse")).startsWith("begins as text").contains("Truncated");
        assertThat(tools.preview("file_delete", Map.of("path", "sparse"))).contains("1099511627776 bytes");
        assertThat(tools.call("file_write", Map.of("path", "sparse", "content", "small"))
                        .text())
                .isEqualTo("Wrote 5 bytes to sparse");
        tools.call("file_delete", Map.of("path", "sparse"));
    }

    static Stream<String> impossible() {
        return Stream.of("a\0b", "\0", "victim.txt\0.png", "x".repeat(5000), "a/".repeat(2500), "\ud800", "a\udfff/b");
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void an_invalid_path_is_an_invalid_request(String path) {
        for (String tool : FILE_TOOLS) {
            assertThat(refusal(tool, path).code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        }
    }

    @Test
    void a_name_that_is_too_long_is_an_invalid_request() {
        for (String tool : FILE_TOOLS) {
            assertThat(refusal(tool, "x".repeat(300)).code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        }
    }

    static Stream<String> ups() {
        return Stream.of(
                "../outside/victim.txt",
                "./../outside/victim.txt",
                "a/../../outside/victim.txt",
                "a/b/c/../../../../outside/victim.txt",
                "..//outside//victim.txt",
                "%2e%2e/outside/victim.txt",
                "%2e%2e%2foutside%2fvictim.txt",
                "..%2foutside%2fvictim.txt",
                "%252e%252e/outside/victim.txt",
                "..%c0%afoutside/victim.txt",
                "%c0%ae%c0%ae/outside/victim.txt",
                "\u00c0\u00ae\u00c0\u00ae/outside/victim.txt",
                "..\\outside\\victim.txt",
                "..\\/outside/victim.txt",
                "....//outside/victim.txt",
                "..;/outside/victim.txt",
                ".. /outside/victim.txt",
                "\u2025/outside/victim.txt",
                "\uff0e\uff0e/outside/victim.txt",
                "\u2024\u2024/outside/victim.txt",
                "..\u2215outside\u2215victim.txt",
                "..\uff0foutside\uff0fvictim.txt",
                ".\u200b./outside/victim.txt",
                "\u202e../outside/victim.txt",
                "file://../outside/victim.txt",
                "~/../../../../../../outside/victim.txt");
    }

    @ParameterizedTest
    @MethodSource("ups")
    void no_notation_of_dot_dot_leads_outside(String path) throws Exception {
        for (String tool : List.of("file_read", "file_delete", "file_list")) {
            Failure failure = refusal(tool, path);
            assertThat(failure.code()).isIn(ErrorCode.PERMISSION_DENIED, ErrorCode.FILE_NOT_FOUND);
            assertThat(failure.message()).doesNotContain(Folders.SECRET);
        }
        try {
            tools.call("file_write", Map.of("path", path, "content", "odd name, but inside"));
            assertThat(tools.read(path)).isEqualTo("odd name, but inside");
        } catch (ToolFailure refused) {
            assertThat(refused.failure().code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        }
    }

    static Stream<String> odd() {
        return Stream.of(
                "grün.txt",
                "日本語/ファイル.txt",
                "😀.txt",
                "e\u0301.txt",
                "a b.txt",
                "-rf",
                "*.txt",
                "$(id).txt",
                "a\nb.txt",
                "a\tb",
                "..a",
                "a..",
                "...",
                "\u202etxt.exe",
                "quote'\".txt",
                "back\\slash.txt");
    }

    @ParameterizedTest
    @MethodSource("odd")
    void unusual_names_are_allowed(String path) throws Exception {
        tools.call("file_write", Map.of("path", path, "content", "x"));
        assertThat(tools.read(path)).isEqualTo("x");
        assertThat(Files.readString(folders.inside().resolve(path))).isEqualTo("x");
        tools.call("file_delete", Map.of("path", path));
        assertThat(folders.inside().resolve(path)).doesNotExist();
    }

    @Test
    void invalid_bytes_are_decoded_with_the_fallback_encoding() throws Exception {
        Files.write(folders.file("a.txt", ""), new byte[] {'a', (byte) 0xC0, (byte) 0xAE, (byte) 0xFF, '\n'});
        assertThat(tools.read("a.txt")).isEqualTo("aÀ®ÿ\n");
    }

    @Test
    void link_loops_are_refused() throws Exception {
        Files.createSymbolicLink(folders.inside().resolve("a"), Path.of("b"));
        Files.createSymbolicLink(folders.inside().resolve("b"), Path.of("a"));
        for (String tool : List.of("file_read", "file_write", "file_list")) {
            assertThat(refusal(tool, "a").code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        }
    }

    @Test
    void a_dangerous_file_is_refused_through_a_link() throws Exception {
        folders.file(".env", "PASSWORD=1");
        Files.createSymbolicLink(folders.inside().resolve("notes.txt"), Path.of(".env"));
        Files.createSymbolicLink(
                folders.inside().resolve("absolute.txt"), folders.inside().resolve(".env"));
        for (String path : List.of(".env", "notes.txt", "absolute.txt")) {
            assertThat(refusal("file_read", path).message()).contains("dangerous path");
            assertThat(refusal("file_write", path).message()).contains("dangerous path");
        }
        assertThat(folders.inside().resolve(".env")).hasContent("PASSWORD=1");
    }

    private void everyToolRefuses(String path, String kind) {
        for (String tool : FILE_TOOLS) {
            assertThat(refusal(tool, path).message()).contains("'" + path + "' is a " + kind);
        }
    }

    private Failure refusal(String tool, String path) {
        return tools.failure(
                tool, tool.equals("file_write") ? Map.of("path", path, "content", "x") : Map.of("path", path));
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }
}
