package dev.toolgate.server.config;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.setting.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settings of the APIs with other wire formats. */
public record DialectSettings(
        @Setting("The tool backend for web front ends: /tools and /execute-tool.")
        ToolBackend toolbackend,

        @Setting("Conversations with models: /ws.") Chat chat,

        @Setting("Clients of the Model Context Protocol (MCP): /mcp.")
        Mcp mcp) {
    private static final Pattern ORIGIN =
            Pattern.compile("https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\\[[0-9a-f:]+](:[0-9]{1,5})?");

    private static List<String> checked(List<String> origins) {
        for (String origin : origins) {
            if (!ORIGIN.matcher(origin).matches()) {
                throw new IllegalArgumentException("allowed_origins: must be origins in lower case such as"
                        + " https://app.example.com, without a path and without wildcards");
            }
        }
        return List.copyOf(origins);
    }

    /** Settings of conversations with models. */
    public record Chat(
            @Setting("Origins whose pages may open a WebSocket with a key, such as http://localhost:5173; none if not"
                    + " set.")
            List<String> allowedOrigins) {
        public Chat {
            allowedOrigins = checked(allowedOrigins);
        }
    }

    /** Settings of the MCP endpoint. */
    public record Mcp(
            @Setting(value = "Whether the /mcp endpoint is enabled.", defaultValue = "true")
            boolean enabled,

            @Setting("Origins whose pages may use this endpoint, such as https://app.example.com, in addition to"
                    + " pages of this machine; none if not set.")
            List<String> allowedOrigins,

            @Setting(
                    value = "How long a call that needs approval is held before its client is told to send it again;"
                            + " keep it below the client's timeout, often 60 seconds.",
                    defaultValue = "50s",
                    min = "1s",
                    max = "10m")
            Duration holdFor,

            @Setting(
                    value = "A client's MCP session ends after this long without use.",
                    defaultValue = "1d",
                    min = "1m",
                    max = "30d")
            Duration sessionIdle,

            @Setting("By tenant, the agents whose clients search for tools instead of listing them all, even"
                    + " without ?tools=search in the URL; none if not set.")
            Map<String, List<String>> searchAgents) {
        public Mcp {
            allowedOrigins = checked(allowedOrigins);
            searchAgents = Map.copyOf(searchAgents);
        }
    }

    /** Settings for web front ends. */
    public record ToolBackend(
            @Setting(
                    value = "The agent of the first tenant for requests without a key from local programs of the"
                            + " server's own user; none if not set.",
                    minLength = 1)
            @Nullable
            String anonymousAgent,

            @Setting("Origins whose pages may use these endpoints, such as http://localhost:5173; none if not set.")
            List<String> allowedOrigins) {

        public ToolBackend {
            allowedOrigins = checked(allowedOrigins);
            if (anonymousAgent != null) {
                agent(anonymousAgent);
            }
        }

        /** The agent for requests without a key; {@code null} if they are refused. */
        public @Nullable AgentId anonymous() {
            return anonymousAgent == null ? null : agent(anonymousAgent);
        }

        private static AgentId agent(String id) {
            try {
                return new AgentId(id);
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        "anonymous_agent: must be an agent's id: " + wrong.getMessage(), wrong);
            }
        }
    }
}
