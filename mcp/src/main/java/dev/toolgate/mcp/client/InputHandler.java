package dev.toolgate.mcp.client;

import dev.toolgate.mcp.protocol.InputRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** Answers servers' requests during a call: for a person's input, a model's completion or the list of roots. */
@FunctionalInterface
public interface InputHandler {
    /** Refuses everything. */
    InputHandler NONE = request -> new InputAnswer.Refused(
            "This client does not answer " + request.kind().method() + ".");

    /** Answers one request; may block until a person responds. Interrupted when the answer is no longer needed. */
    InputAnswer answer(InputRequest request) throws InterruptedException;

    /** Answers several requests, by the server's keys; one after the other unless overridden. */
    default Map<String, InputAnswer> answerAll(Map<String, InputRequest> requests) throws InterruptedException {
        Map<String, InputAnswer> answers = new LinkedHashMap<>();
        for (Map.Entry<String, InputRequest> request : requests.entrySet()) {
            answers.put(request.getKey(), answer(request.getValue()));
        }
        return answers;
    }
}
