package dev.toolgate.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.Revision;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SessionRecordTest {

    @Test
    void survives_writing_and_reading() {
        SessionRecord record = new SessionRecord(
                        "alice",
                        Revision.R2025_06_18,
                        new Implementation("client", "1", "A client"),
                        ClientCapabilities.NONE,
                        null,
                        Set.of())
                .withLogLevel(LogLevel.WARNING)
                .withResource("a://b")
                .withResource("a://c")
                .withoutResource("a://b");

        String stored = record.json().toString();

        assertThat(SessionRecord.read(JsonMapper.shared().readTree(stored))).isEqualTo(record);
        assertThat(record.resources()).containsExactly("a://c");
    }

    @Test
    void the_name_of_a_client_is_truncated() {
        Implementation client = Implementation.read(JsonMapper.shared()
                .createObjectNode()
                .put("name", "n".repeat(1_000_000))
                .put("version", "v".repeat(1_000_000))
                .put("title", "t".repeat(1_000_000)));

        assertThat(client).isEqualTo(new Implementation("n".repeat(200), "v".repeat(200), "t".repeat(200)));
    }

    @Test
    void a_record_stored_by_another_version_is_ignored() {
        assertThat(SessionRecord.read(JsonMapper.shared()
                        .readTree("{\"caller\": \"a\", \"revision\": \"1999-01-01\", \"capabilities\": {}}")))
                .isNull();
        assertThat(SessionRecord.read(JsonMapper.shared().readTree("{}"))).isNull();
    }
}
