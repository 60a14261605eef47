package dev.toolgate.cli.chat;

import dev.toolgate.cli.terminal.WrongUsage;
import dev.toolgate.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Who talks to which model, and within which limits. */
final class ChatTerms {
    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "Whose tools the model uses; not needed with an agent's own key.")
    private @Nullable String agent;

    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            description = "claude, openai or ollama; not needed if the server has a key for one of them only.")
    private @Nullable String provider;

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "The model; default: TOOLGATE_CHAT_MODEL. 'toolgate models' lists them.")
    private @Nullable String model;

    @Option(names = "--system", paramLabel = "TEXT", description = "Instructions that stand before the conversation.")
    private @Nullable String system;

    @Option(
            names = "--trust",
            paramLabel = "LEVEL",
            description = "supervised, guided or autonomous; only ever stricter than the agent's own level.")
    private @Nullable String trust;

    @Option(
            names = "--session",
            paramLabel = "SESSION",
            description = "The session whose policy bundle and budget count.")
    private @Nullable String session;

    @Option(names = "--tools", paramLabel = "TOOL", split = ",", description = "Only these tools, with commas between.")
    private @Nullable List<String> tools;

    @Option(names = "--max-tokens", paramLabel = "N", description = "How long an answer may be.")
    private @Nullable Integer maxTokens;

    @Option(
            names = "--thinking-tokens",
            paramLabel = "N",
            description = "How long the model may think before it answers.")
    private @Nullable Integer thinkingTokens;

    @Option(
            names = "--api-key-env",
            paramLabel = "NAME",
            description = "The environment variable that holds your own key for the provider.")
    private @Nullable String apiKeyVariable;

    /**
     * What every message of the conversation carries.
     *
     * @throws WrongUsage with one sentence that says what is missing
     */
    ObjectNode payload() {
        ObjectNode payload = Json.MAPPER.createObjectNode().put("model", modelOrUsual());
        put(payload, "agent_id", agent);
        put(payload, "provider", provider);
        put(payload, "system_prompt", system);
        put(payload, "trust_level", trust);
        put(payload, "session_id", session);
        put(payload, "api_key", apiKey());
        if (tools != null) {
            tools.forEach(payload.putArray("tools")::add);
        }
        if (maxTokens != null) {
            payload.put("max_tokens", maxTokens);
        }
        if (thinkingTokens != null) {
            payload.put("thinking_tokens", thinkingTokens);
        }
        return payload;
    }

    /**
     * Checks that somebody is named to talk.
     *
     * @param status what the server says of the connection
     * @throws WrongUsage if nobody is
     */
    void checkAgent(JsonNode status) {
        if (agent == null && !status.path("agent_id").isString()) {
            throw new WrongUsage(
                    "say with --agent which agent's tools the model uses; 'toolgate agents list' shows them");
        }
    }

    private String modelOrUsual() {
        String usual = System.getenv("TOOLGATE_CHAT_MODEL");
        if (model != null) {
            return model;
        }
        if (usual == null || usual.isBlank()) {
            throw new WrongUsage(
                    "say which model answers, with --model or TOOLGATE_CHAT_MODEL; 'toolgate models' lists them");
        }
        return usual.strip();
    }

    // From the environment only: the arguments of a program are seen by everybody on the machine.
    private @Nullable String apiKey() {
        if (apiKeyVariable == null) {
            return null;
        }
        String key = System.getenv(apiKeyVariable);
        if (key == null || key.isBlank()) {
            throw new WrongUsage(
                    "the environment variable that --api-key-env names holds no key; set it to your key for"
                            + " the provider, or leave the option out to use the server's");
        }
        return key.strip();
    }

    private static void put(ObjectNode payload, String field, @Nullable String value) {
        if (value != null) {
            payload.put(field, value);
        }
    }
}
