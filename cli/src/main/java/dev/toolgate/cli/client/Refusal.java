package dev.toolgate.cli.client;

import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A server's no, in its own words. */
public final class Refusal extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 64 * 1024;

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
            JsonNode error = Json.MAPPER.readTree(body.readNBytes(LONGEST)).path("error");
            String said = said(error);
            if (!said.isEmpty()) {
                return new Refusal(status, said);
            }
        } catch (JacksonException notJson) {
            // said below
        }
        return new Refusal(
                status,
                "what answers at " + server + " said " + status
                        + " and not what a Toolgate server says; check the address");
    }

    /** What an error of the server says: what happened, then what to do; empty if it says nothing. */
    public static String said(JsonNode error) {
        String message = PrintableText.of(error.path("message").asString(""));
        String remediation = PrintableText.of(CommandAdvice.of(error));
        return message.isEmpty() ? "" : ended(message) + (remediation.isEmpty() ? "" : " " + remediation);
    }

    private static String ended(String sentence) {
        return sentence.matches(".*[.!?]") ? sentence : sentence + ".";
    }
}
