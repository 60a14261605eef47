package dev.toolgate.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsPathsTest {
    private static final String BASE = "C:\\ws";
    private static final Platform WINDOWS =
            Platform.of("Windows 11", Path.of("unused"), Map.of("USERPROFILE", "C:\\Users\\ann"));

    @ParameterizedTest
    @CsvSource({
        "a.txt, C:\\ws\\a.txt",
        "a/b\\c, C:\\ws\\a\\b\\c",
        ".\\a, C:\\ws\\a",
        "..\\..\\..\\x, C:\\x",
        "c:\\x, C:\\x",
        "d:/x/../y, D:\\y",
        "C:\\, C:\\",
        "C:\\.., C:\\",
        "\\x, C:\\x",
        "/x/y, C:\\x\\y",
        "~, C:\\Users\\ann",
        "~\\x, C:\\Users\\ann\\x",
        "~/../bob, C:\\Users\\bob",
        "\\\\srv\\share\\a\\..\\b, \\\\srv\\share\\b",
        "//srv/share/a, \\\\srv\\share\\a",
        "\\\\srv\\share\\..\\..\\other\\x, \\\\srv\\share\\other\\x",
        "\\\\srv\\share, \\\\srv\\share\\",
        "\\\\?\\C:\\x\\..\\y, C:\\y",
        "//?/c:/x, C:\\x",
        "\\\\?\\UNC\\srv\\share\\x, \\\\srv\\share\\x",
        "\\\\?\\unc\\srv\\share\\..\\x, \\\\srv\\share\\x",
        "console\\nulls\\com10, C:\\ws\\console\\nulls\\com10",
        ".env, C:\\ws\\.env",
    })
    void normalizes_a_path(String given, String normal) throws InvalidPath {
        assertThat(WINDOWS.normalize(given, BASE)).isEqualTo(normal);
        assertThat(WINDOWS.normalize(normal, "D:\\elsewhere")).isEqualTo(normal);
    }

    @Test
    void a_path_from_the_root_stays_on_the_share_of_the_base() throws InvalidPath {
        assertThat(WINDOWS.normalize("\\x", "\\\\srv\\share\\deep")).isEqualTo("\\\\srv\\share\\x");
        assertThat(WINDOWS.normalize("..\\..\\..\\x", "\\\\srv\\share\\deep")).isEqualTo("\\\\srv\\share\\x");
    }

    @ParameterizedTest
    @CsvSource({
        "C:\\a, true",
        "c:/a, true",
        "\\\\srv\\share\\a, true",
        "//srv/share, true",
        "\\\\?\\C:\\a, true",
        "~\\a, true",
        "~/a, true",
        "C:a, false",
        "C:, false",
        "\\a, false",
        "/a, false",
        "a, false",
        "\\\\srv, false",
        "~a, false",
    })
    void recognises_absolute_paths(String path, boolean absolute) {
        assertThat(WINDOWS.isAbsolute(path)).isEqualTo(absolute);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CON",
                "con",
                "nul",
                "NUL.txt",
                "nul.tar.gz",
                "sub\\AUX",
                "prn ",
                "NUL .txt",
                "COM1",
                "com9.log",
                "LPT1",
                "COM\u00B9",
                "lpt\u00B3.txt",
                "CONIN$",
                "conout$",
                "C:\\ws\\nul",
                "\\\\?\\C:\\ws\\nul",
                "NUL:",
                "com1:9600",
                "nul/x"
            })
    void refuses_the_names_of_devices(String path) {
        assertThatThrownBy(() -> WINDOWS.normalize(path, BASE))
                .isInstanceOf(InvalidPath.class)
                .hasMessageContaining("device");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\\\.\\PhysicalDrive0", "\\\\.\\pipe\\docker", "//./C:/x", "\\\\?\\GLOBALROOT\\Device\\x",
                "\\\\?\\Volume{1}\\x", "\\\\.\\C:\\x", "\\\\?\\UNC\\?\\C:\\x", "\\\\?\\UNC\\.\\pipe\\x"
            })
    void refuses_the_device_namespace(String path) {
        assertThatThrownBy(() -> WINDOWS.normalize(path, BASE)).isInstanceOf(InvalidPath.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.txt:hidden", "a.txt::$DATA", "dir:stream\\x", ".env::$DATA", "C:\\ws\\a:b"})
    void refuses_alternate_data_streams(String path) {
        assertThatThrownBy(() -> WINDOWS.normalize(path, BASE))
                .isInstanceOf(InvalidPath.class)
                .hasMessageContaining("stream");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a\0b",
                "half\uD83D",
                "C:",
                "C:relative",
                "\\\\srv",
                "\\\\",
                "a<b",
                "a>b",
                "a|b",
                "a?b",
                "a*b",
                "a\"b",
                "a\nb",
                ".env.",
                ".env ",
                "dir.\\x",
                "...",
                ".. \\x",
                "\\??\\C:\\x"
            })
    void refuses_ambiguous_or_invalid_paths(String path) {
        assertThatThrownBy(() -> WINDOWS.normalize(path, BASE)).isInstanceOf(InvalidPath.class);
    }

    @Test
    void a_long_path_needs_the_prefix_and_keeps_it() throws InvalidPath {
        String longest = "C:" + "\\12345678".repeat(28) + "\\1234";
        String longer = "\\\\?\\" + longest + "5";

        assertThat(WINDOWS.normalize(longest, BASE)).hasSize(259).isEqualTo(longest);
        assertThatThrownBy(() -> WINDOWS.normalize(longest + "5", BASE))
                .isInstanceOf(InvalidPath.class)
                .hasMessageStartingWith("The path is longer than 259 characters");
        assertThat(WINDOWS.normalize(longer, BASE)).isEqualTo(longer);
        assertThat(WINDOWS.normalize(WINDOWS.normalize(longer, BASE), BASE)).isEqualTo(longer);
        assertThat(WINDOWS.normalize("\\\\?\\UNC\\srv\\share" + "\\12345678".repeat(40), BASE))
                .startsWith("\\\\?\\UNC\\srv\\share\\1");
    }

    @Test
    void the_base_must_be_absolute() {
        assertThatThrownBy(() -> WINDOWS.normalize("x", "ws")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WINDOWS.normalize("x", "x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_length_is_limited_even_with_the_prefix() {
        assertThatThrownBy(() -> WINDOWS.normalize("\\\\?\\C:" + "\\12345678".repeat(3_641), BASE))
                .isInstanceOf(InvalidPath.class)
                .hasMessage("The path is longer than 32766 characters");
        assertThatThrownBy(() -> WINDOWS.normalize("x".repeat(256), BASE)).isInstanceOf(InvalidPath.class);
    }
}
