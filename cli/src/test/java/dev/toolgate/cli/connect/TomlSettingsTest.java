package dev.toolgate.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TomlSettingsTest {
    private static final String TABLE = "[mcp_servers.toolgate]\nurl = \"new\"\n";

    private static String put(String text) throws IOException {
        return TomlSettings.put(text, "mcp_servers.toolgate", "url = \"new\"\n");
    }

    @Test
    void appends_the_table_and_keeps_every_line() throws IOException {
        String before = """
                # mine
                model = "gpt" # the model
                notify = [
                  ["a", "]"],
                  # [mcp_servers.toolgate]
                  ["[mcp_servers.toolgate]"],
                ]
                text = \"""
                [mcp_servers.toolgate]
                \"""
                raw = '''
                [mcp_servers.toolgate] \\'''

                [mcp_servers.other]
                command = "x"
                """;

        assertThat(put(before)).isEqualTo(before + "\n" + TABLE);
        assertThat(put(put(before))).isEqualTo(put(before));
        assertThat(put("")).isEqualTo(TABLE);
        assertThat(put("a = 1")).isEqualTo("a = 1\n\n" + TABLE);
    }

    @Test
    void replaces_an_older_table_and_keeps_the_next_ones_comments() throws IOException {
        String before = """
                [mcp_servers.toolgate] # old
                url = "old"

                [mcp_servers.toolgate.http_headers]
                Authorization = "Bearer [x]"
                # about the other

                [ mcp_servers . "other" ]
                command = "x"
                """;

        assertThat(put(before)).isEqualTo("""

                # about the other

                [ mcp_servers . "other" ]
                command = "x"

                """ + TABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mcp_servers = {}",
                "mcp_servers.toolgate.url = \"x\"",
                "[mcp_servers]\ntoolgate = { url = \"x\" }",
                "a = \"x",
                "hello"
            })
    void settings_that_cannot_be_changed_safely_are_refused(String wrong) {
        assertThatThrownBy(() -> put(wrong)).isInstanceOf(IOException.class).hasMessageStartingWith("it ");
    }
}
