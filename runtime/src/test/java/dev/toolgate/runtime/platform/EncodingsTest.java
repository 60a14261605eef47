package dev.toolgate.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.Charset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncodingsTest {
    @ParameterizedTest
    @CsvSource({
        "utf-8, UTF-8",
        "UTF8, UTF-8",
        "latin-1, ISO-8859-1",
        "Latin-1, ISO-8859-1",
        "latin1, ISO-8859-1",
        "macRoman, x-MacRoman",
        "windows-1252, windows-1252",
    })
    void common_names_are_known(String name, String charset) throws ToolFailure {
        assertThat(Encodings.find(name)).isEqualTo(Charset.forName(charset));
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-9", "../etc", "\0", "klingon", " ", ""})
    void an_unknown_name_is_a_clear_error(String name) {
        assertThatThrownBy(() -> Encodings.find(name))
                .isInstanceOfSatisfying(
                        ToolFailure.class,
                        failure -> assertThat(failure.failure().code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                .hasMessageContaining("there is no encoding")
                .hasMessageContaining("utf-8");
    }
}
