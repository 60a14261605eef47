package dev.toolgate.server.door.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.BadRequest;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IncomingTest {
    private static final UUID FIRST = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);

    private static Incoming.Approve yes(String field, String value) {
        String message = Json.MAPPER
                .createObjectNode()
                .put("type", "chat:tool-approve")
                .set(
                        "payload",
                        Json.MAPPER
                                .createObjectNode()
                                .put("toolId", "t")
                                .put("approved", true)
                                .put(field, value))
                .toString();
        return (Incoming.Approve) Incoming.read(message);
    }

    @ParameterizedTest
    @CsvSource({"toolId, 2000", "reason, 2000", "approvalId, 100", "conversationId, 100"})
    void texts_of_an_answer_have_a_maximum_length(String field, int maxLength) {
        assertThat(yes(field, "x".repeat(maxLength)).approved()).isTrue();
        assertThatThrownBy(() -> yes(field, "x".repeat(maxLength + 1)))
                .isInstanceOf(BadRequest.class)
                .hasMessageContaining(field);
    }

    @Test
    void an_answer_applies_only_to_the_approval_request_it_names() {
        assertThat(yes("approvalId", SECOND.toString()).among(List.of(FIRST, SECOND)))
                .isEqualTo(SECOND);
        assertThatThrownBy(() -> yes("approvalId", FIRST.toString()).among(List.of(SECOND)))
                .isInstanceOf(BadRequest.class)
                .hasMessageContainingAll(FIRST.toString(), "is not open");
    }

    @Test
    void an_answer_without_an_approval_id_applies_to_a_single_open_request() {
        assertThat(yes("reason", "Why not").among(List.of(FIRST))).isEqualTo(FIRST);
        assertThatThrownBy(() -> yes("reason", "Why not").among(List.of(FIRST, SECOND)))
                .isInstanceOf(BadRequest.class)
                .hasMessageContaining("approvalId");
        assertThatThrownBy(() -> yes("reason", "Why not").among(List.of())).isInstanceOf(BadRequest.class);
    }
}
