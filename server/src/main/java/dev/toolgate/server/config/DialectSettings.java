package dev.toolgate.server.config;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.setting.Setting;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The doors for programs that speak otherwise. */
public record DialectSettings(
        @Setting("The tool backend for web front ends: /tools and /execute-tool.")
        ToolBackend toolbackend,

        @Setting("Conversations with models: /ws.") Chat chat) {
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

    /** Clients that talk with models. */
    public record Chat(
            @Setting(
                    "Origins whose pages may open a socket with a key, such as http://localhost:5173; none if not set.")
            List<String> allowedOrigins) {
        public Chat {
            allowedOrigins = checked(allowedOrigins);
        }
    }

    /** Front ends, of which some have no keys and some are pages of other origins. */
    public record ToolBackend(
            @Setting(
                    value =
                            "The agent of the first tenant as which programs of the server's own user on this machine act"
                                    + " that show no key; nobody if not set.",
                    shortest = 1)
            @Nullable
            String anonymousAgent,

            @Setting("Origins whose pages may use this door, such as http://localhost:5173; none if not set.")
            List<String> allowedOrigins) {

        public ToolBackend {
            allowedOrigins = checked(allowedOrigins);
            if (anonymousAgent != null) {
                agent(anonymousAgent);
            }
        }

        /** The agent as which those act who show no key; {@code null} if nobody does. */
        public @Nullable AgentId anonymous() {
            return anonymousAgent == null ? null : agent(anonymousAgent);
        }

        private static AgentId agent(String id) {
            try {
                return new AgentId(id);
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        "anonymous_agent: is not an agent's id: " + wrong.getMessage(), wrong);
            }
        }
    }
}
