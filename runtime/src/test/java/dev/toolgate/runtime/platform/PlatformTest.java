package dev.toolgate.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {

    @ParameterizedTest
    @CsvSource({
        "Linux, Linux, /, false",
        "FreeBSD, Linux, /, false",
        "Mac OS X, macOS, /, false",
        "Windows 11, Windows, \\, true",
        "Windows Server 2025, Windows, \\, true",
    })
    void is_selected_by_the_os_name(String os, String name, char separator, boolean ignoresCase) {
        Platform platform = platform(os, Map.of());

        assertThat(platform.name()).isEqualTo(name);
        assertThat(platform.separator()).isEqualTo(separator);
        assertThat(platform.ignoresCase()).isEqualTo(ignoresCase);
    }

    @Test
    void commands_run_in_the_shell_of_the_system() {
        assertThat(platform("Linux", Map.of("SHELL", "/bin/fish")).shell("x")).containsExactly("/bin/sh", "-c", "x");
        assertThat(platform("Mac OS X", Map.of()).shell("x")).containsExactly("/bin/zsh", "-c", "x");
        assertThat(platform("Mac OS X", Map.of("SHELL", "/bin/bash")).shell("x"))
                .containsExactly("/bin/bash", "-c", "x");
        assertThat(platform("Mac OS X", Map.of("SHELL", "planted/zsh")).shell("x"))
                .containsExactly("/bin/zsh", "-c", "x");
        assertThat(platform("Windows 11", Map.of()).shell("x")).containsExactly("cmd.exe", "/c", "x");
    }

    @Test
    void line_endings_are_normalized_on_windows_only() {
        assertThat(platform("Windows 11", Map.of()).normalizeLineEndings("a\r\nb\nc\rd\r\n"))
                .isEqualTo("a\nb\nc\rd\n");
        assertThat(platform("Linux", Map.of()).normalizeLineEndings("a\r\nb")).isEqualTo("a\r\nb");
        assertThat(platform("Mac OS X", Map.of()).normalizeLineEndings("a\r\nb"))
                .isEqualTo("a\r\nb");
    }

    @Test
    void every_system_falls_back_to_its_own_encoding_and_then_to_latin_1() {
        assertThat(platform("Mac OS X", Map.of()).fallbackEncodings())
                .containsExactly(Charset.forName("x-MacRoman"), StandardCharsets.ISO_8859_1);
        assertThat(platform("Windows 11", Map.of()).fallbackEncodings())
                .containsExactly(Charset.forName("windows-1252"), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, -, UTF-8",
                "LANG, de_DE.UTF-8, UTF-8",
                "LANG, de_DE.ISO-8859-15@euro, ISO-8859-15",
                "LC_ALL, ja_JP.EUC-JP, EUC-JP",
                "LC_CTYPE, ru_RU.KOI8-R, KOI8-R",
                "LANG, C, UTF-8",
                "LANG, xx.no-such-thing, UTF-8",
                "LANG, xx.{bad}, UTF-8",
                "LANG, , UTF-8",
            })
    void linux_has_the_encoding_of_its_locale(String variable, String value, String encoding) {
        Map<String, String> environment = variable == null ? Map.of() : Map.of(variable, value == null ? "" : value);

        assertThat(platform("Linux", environment).fallbackEncodings())
                .containsExactly(Charset.forName(encoding), StandardCharsets.ISO_8859_1);
    }

    @Test
    void the_variable_with_highest_precedence_sets_the_encoding() {
        Map<String, String> both = Map.of("LANG", "de_DE.ISO-8859-15", "LC_ALL", "de_DE.UTF-8");

        assertThat(platform("Linux", both).fallbackEncodings().getFirst()).isEqualTo(StandardCharsets.UTF_8);
    }

    private static Platform platform(String os, Map<String, String> environment) {
        return Platform.of(os, Path.of("/home/ann"), environment);
    }
}
