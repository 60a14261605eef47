package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** One model of each provider. */
enum Model {
    CLAUDE("claude", "claude-sonnet-4-5", "/v1/messages"),
    OPENAI("openai", "gpt-5", "/v1/chat/completions"),
    OLLAMA("ollama", "qwen3", "/api/chat");

    private final String provider;
    private final String id;
    private final String place;

    Model(String provider, String id, String place) {
        this.provider = provider;
        this.id = id;
        this.place = place;
    }

    String id() {
        return id;
    }

    /** The path of its requests. */
    String place() {
        return place;
    }

    /** A message in a new conversation. */
    ChatMessage message(String agent, String content) {
        return ChatMessage.of("about " + agent, provider, id, content).with("agent_id", agent);
    }

    /**
     * Checks that calls and results were sent back with the model's ids, and that the client saw those. Skipped for
     * Ollama: aimock gives its calls no ids and drops received ones from its journal.
     */
    void checkIds(Aimock.Asked asked, List<String> ids, ChatEnvelope... events) {
        if (this == OLLAMA) {
            return;
        }
        assertThat(asked.calls()).extracting(call -> call.path("id").asString()).isEqualTo(ids);
        assertThat(asked.results())
                .extracting(back -> back.path("tool_call_id").asString())
                .isEqualTo(ids);
        assertThat(events).allMatch(event -> ids.contains(event.text("toolId")));
    }
}
