package dev.toolgate.mcp.client;

import dev.toolgate.mcp.protocol.InputRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** Gives servers what they ask for in the middle of a call: a person's answer, a model's, the list of roots. */
@FunctionalInterface
public interface InputHandler {
    /** Refuses everything. */
    InputHandler NONE = request -> new InputAnswer.Refused(
            "This client does not answer " + request.kind().method() + ".");

    /** Answers one request; may block for as long as a person needs. Interrupted when the answer is no longer wanted. */
    InputAnswer answer(InputRequest request) throws InterruptedException;

    /** Answers what a server asks for at once, by its keys; one after the other, unless a handler can do better. */
    default Map<String, InputAnswer> answerAll(Map<String, InputRequest> requests) throws InterruptedException {
        Map<String, InputAnswer> answers = new LinkedHashMap<>();
        for (Map.Entry<String, InputRequest> request : requests.entrySet()) {
            answers.put(request.getKey(), answer(request.getValue()));
        }
        return answers;
    }
}
