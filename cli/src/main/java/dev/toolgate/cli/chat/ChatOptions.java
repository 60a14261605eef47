package dev.toolgate.cli.chat;

import dev.toolgate.cli.terminal.WrongUsage;
import dev.toolgate.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The options of a conversation: agent, model and limits. */
final class ChatOptions {
    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "The agent whose tools the model uses; not needed with an agent's key.")
    private @Nullable String agent;

    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            description = "claude, openai or ollama; not needed if the server has a key for only one of them.")
    private @Nullable String provider;

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "The model; default: TOOLGATE_CHAT_MODEL. 'toolgate models' lists them.")
    private @Nullable String model;

    @Option(names = "--system", paramLabel = "TEXT", description = "The system prompt.")
    private @Nullable String system;

    @Option(
            names = "--trust",
            paramLabel = "LEVEL",
            description = "supervised, guided or autonomous; can only be stricter than the agent's own level.")
    private @Nullable String trust;

    @Option(
            names = "--session",
            paramLabel = "SESSION",
            description = "The session whose policy bundle and budget apply.")
    private @Nullable String session;

    @Option(names = "--tools", paramLabel = "TOOL", split = ",", description = "Only these tools, separated by commas.")
    private @Nullable List<String> tools;

    @Option(names = "--max-tokens", paramLabel = "N", description = "The maximum tokens of an answer.")
    private @Nullable Integer maxTokens;

    @Option(names = "--thinking-tokens", paramLabel = "N", description = "The maximum tokens for thinking.")
    private @Nullable Integer thinkingTokens;

    @Option(
            names = "--api-key-env",
            paramLabel = "NAME",
            description = "The environment variable with your own key for the provider.")
    private @Nullable String apiKeyVariable;

    /**
     * The common payload of every message.
     *
     * @throws WrongUsage if an option is missing
     */
    ObjectNode payload() {
        ObjectNode payload = Json.MAPPER.createObjectNode().put("model", modelOrDefault());
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
     * Checks that an agent is given.
     *
     * @param status the server's connection status
     * @throws WrongUsage if there is none
     */
    void checkAgent(JsonNode status) {
        if (agent == null && !status.path("agent_id").isString()) {
            throw new WrongUsage(
                    "give the agent whose tools the model uses with --agent; 'toolgate agents list' shows them");
        }
    }

    private String modelOrDefault() {
        String fromEnvironment = System.getenv("TOOLGATE_CHAT_MODEL");
        if (model != null) {
            return model;
        }
        if (fromEnvironment == null || fromEnvironment.isBlank()) {
            throw new WrongUsage("give the model with --model or TOOLGATE_CHAT_MODEL; 'toolgate models' lists them");
        }
        return fromEnvironment.strip();
    }

    // From the environment only: arguments of a process are visible to all users of the machine.
    private @Nullable String apiKey() {
        if (apiKeyVariable == null) {
            return null;
        }
        String key = System.getenv(apiKeyVariable);
        if (key == null || key.isBlank()) {
            throw new WrongUsage(
                    "the environment variable given with --api-key-env is empty; set it to your key for the"
                            + " provider, or leave the option out to use the server's key");
        }
        return key.strip();
    }

    private static void put(ObjectNode payload, String field, @Nullable String value) {
        if (value != null) {
            payload.put(field, value);
        }
    }
}
