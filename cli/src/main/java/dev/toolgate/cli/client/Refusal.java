package dev.toolgate.cli.client;

import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** An error response of the server. */
public final class Refusal extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_BODY_BYTES = 64 * 1024;

    private final int status;

    private Refusal(int status, String sentence) {
        super(sentence);
        this.status = status;
    }

    /** The HTTP status of the answer. */
    public int status() {
        return status;
    }

    static Refusal of(ServerAddress server, int status, InputStream body) throws IOException {
        try {
            JsonNode error =
                    Json.MAPPER.readTree(body.readNBytes(MAX_BODY_BYTES)).path("error");
            String message = message(error);
            if (!message.isEmpty()) {
                return new Refusal(status, message);
            }
        } catch (JacksonException notJson) {
            // reported below
        }
        return new Refusal(
                status,
                "the program at " + server + " answered " + status
                        + " but is not a Toolgate server; check the address");
    }

    /** The message and remediation of an error; empty if it has no message. */
    public static String message(JsonNode error) {
        String message = PrintableText.of(error.path("message").asString(""));
        String remediation = PrintableText.of(CommandAdvice.of(error));
        return message.isEmpty() ? "" : ended(message) + (remediation.isEmpty() ? "" : " " + remediation);
    }

    private static String ended(String sentence) {
        return sentence.matches(".*[.!?]") ? sentence : sentence + ".";
    }
}
