package dev.toolgate.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnixPathsTest {
    private static final Platform LINUX = Platform.of("Linux", Path.of("/home/ann"), Map.of());
    private static final Platform MAC = Platform.of("Mac OS X", Path.of("/Users/ann"), Map.of());

    @ParameterizedTest
    @CsvSource({
        "a.txt, /ws/a.txt",
        "./a.txt, /ws/a.txt",
        "a/../b, /ws/b",
        "a//b/, /ws/a/b",
        "../../../x, /x",
        "/, /",
        "/.., /",
        "/a/./b/../c, /a/c",
        "/../etc/passwd, /etc/passwd",
        "..., /ws/...",
        "a\\b, /ws/a\\b",
        "C:\\x, /ws/C:\\x",
        "~ann/x, /ws/~ann/x",
        "a~, /ws/a~",
        "%2e%2e/x, /ws/%2e%2e/x",
        "ünï/☃, /ws/ünï/☃",
    })
    void normalizes_a_path(String given, String normal) throws InvalidPath {
        assertThat(LINUX.normalize(given, "/ws")).isEqualTo(normal);
        assertThat(MAC.normalize(given, "/ws")).isEqualTo(normal);
        assertThat(LINUX.normalize(normal, "/elsewhere")).isEqualTo(normal);
    }

    @Test
    void the_tilde_is_the_home_of_the_user() throws InvalidPath {
        assertThat(LINUX.normalize("~", "/ws")).isEqualTo("/home/ann");
        assertThat(LINUX.normalize("~/../bob", "/ws")).isEqualTo("/home/bob");
        assertThat(MAC.normalize("~/Documents", "/ws")).isEqualTo("/Users/ann/Documents");
    }

    @ParameterizedTest
    @CsvSource({"/a, true", "~, true", "~/a, true", "a, false", "./a, false", "~a, false", "\\\\a\\b, false"})
    void recognises_absolute_paths(String path, boolean absolute) {
        assertThat(LINUX.isAbsolute(path)).isEqualTo(absolute);
        assertThat(MAC.isAbsolute(path)).isEqualTo(absolute);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\0b", "\0", "/etc/passwd\0.txt", "half\uD83D"})
    void refuses_invalid_names(String path) {
        assertThatThrownBy(() -> LINUX.normalize(path, "/ws")).isInstanceOf(InvalidPath.class);
        assertThatThrownBy(() -> MAC.normalize(path, "/ws")).isInstanceOf(InvalidPath.class);
    }

    @Test
    void the_base_must_be_absolute() {
        assertThatThrownBy(() -> LINUX.normalize("x", "ws")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void path_and_name_lengths_are_limited_per_system() throws InvalidPath {
        String bytes1023 = "/12345678".repeat(113) + "/12345";
        String bytes4095 = "/12345678".repeat(455);

        assertThat(MAC.normalize(bytes1023, "/")).hasSize(1023);
        assertThat(LINUX.normalize(bytes4095, "/")).hasSize(4095);
        assertThatThrownBy(() -> MAC.normalize(bytes1023 + "6", "/"))
                .isInstanceOf(InvalidPath.class)
                .hasMessage("The path is longer than 1023 bytes");
        assertThatThrownBy(() -> LINUX.normalize(bytes4095 + "9", "/"))
                .isInstanceOf(InvalidPath.class)
                .hasMessage("The path is longer than 4095 bytes");
        assertThatThrownBy(() -> LINUX.normalize("é".repeat(128), "/"))
                .isInstanceOf(InvalidPath.class)
                .hasMessage("A name in the path is longer than 255 bytes");
    }
}
