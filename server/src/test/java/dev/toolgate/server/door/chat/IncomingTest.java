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
    void what_an_answer_says_is_no_longer_than_it_may_be(String field, int longest) {
        assertThat(yes(field, "x".repeat(longest)).approved()).isTrue();
        assertThatThrownBy(() -> yes(field, "x".repeat(longest + 1)))
                .isInstanceOf(BadRequest.class)
                .hasMessageContaining(field);
    }

    @Test
    void an_answer_counts_for_the_question_it_names_and_for_no_other() {
        assertThat(yes("approvalId", SECOND.toString()).among(List.of(FIRST, SECOND)))
                .isEqualTo(SECOND);
        assertThatThrownBy(() -> yes("approvalId", FIRST.toString()).among(List.of(SECOND)))
                .isInstanceOf(BadRequest.class)
                .hasMessageContainingAll(FIRST.toString(), "is not open");
    }

    @Test
    void an_answer_that_names_no_question_counts_if_there_is_only_one() {
        assertThat(yes("reason", "Why not").among(List.of(FIRST))).isEqualTo(FIRST);
        assertThatThrownBy(() -> yes("reason", "Why not").among(List.of(FIRST, SECOND)))
                .isInstanceOf(BadRequest.class)
                .hasMessageContaining("approvalId");
        assertThatThrownBy(() -> yes("reason", "Why not").among(List.of())).isInstanceOf(BadRequest.class);
    }
}
