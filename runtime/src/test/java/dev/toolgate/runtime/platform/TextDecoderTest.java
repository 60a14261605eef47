package dev.toolgate.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextDecoderTest {

    @ParameterizedTest
    @CsvSource({
        // system, asked, bytes, text, encoding it was in
        "Linux, utf-8, 68c3a9, hé, UTF-8",
        "Linux, utf-8, 68e9, hé, ISO-8859-1",
        "Windows 11, utf-8, 8068e9, €hé, windows-1252",
        "Windows 11, utf-8, 8168e9, \u0081hé, ISO-8859-1",
        "Mac OS X, utf-8, 688e, hé, x-MacRoman",
        "Linux, utf-8, efbbbf6869, hi, UTF-8",
        "Windows 11, utf-8, efbbbf68e9, hé, windows-1252",
        "Linux, utf-16le, fffe68006900, hi, UTF-16LE",
        "Linux, utf-16, feff00680069, hi, UTF-16",
        "Linux, latin-1, 68e9, hé, ISO-8859-1",
        "Linux, utf-8, c080, \u00C0\u0080, ISO-8859-1",
        "Linux, us-ascii, 68c3a9, hé, UTF-8",
    })
    void takes_the_first_encoding_that_fits(String os, String asked, String hex, String text, String encoding)
            throws ToolFailure {
        TextDecoder decoder = new TextDecoder(Platform.of(os, Path.of("/"), Map.of()));

        TextDecoder.Decoded decoded = decoder.decode(HexFormat.of().parseHex(hex), TextDecoder.encoding(asked));

        assertThat(decoded.text()).isEqualTo(text);
        assertThat(decoded.encoding()).isEqualTo(Charset.forName(encoding));
    }

    @Test
    void nothing_is_empty_text() {
        TextDecoder decoder = new TextDecoder(Platform.current());

        assertThat(decoder.decode(new byte[0], StandardCharsets.UTF_8).text()).isEmpty();
        assertThat(decoder.decode(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, StandardCharsets.UTF_8)
                        .text())
                .isEmpty();
    }

    @Test
    void no_name_means_utf_8() throws ToolFailure {
        assertThat(TextDecoder.encoding(null)).isEqualTo(StandardCharsets.UTF_8);
        assertThat(TextDecoder.encoding("UTF8")).isEqualTo(StandardCharsets.UTF_8);
        assertThat(TextDecoder.encoding("macRoman")).isEqualTo(Charset.forName("x-MacRoman"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-9", "../etc", "\0", "klingon", " "})
    void an_unknown_name_is_a_clear_error(String name) {
        assertThatThrownBy(() -> TextDecoder.encoding(name))
                .isInstanceOfSatisfying(
                        ToolFailure.class,
                        failure -> assertThat(failure.failure().code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                .hasMessageContaining("unknown encoding")
                .hasMessageContaining("utf-8");
    }
}
