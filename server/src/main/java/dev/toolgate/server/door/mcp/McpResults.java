package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.ServerResult;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.mcp.protocol.MetaKeys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Encodes outcomes as MCP results. What only programs need is in the metadata, which models do not see. */
final class McpResults {
    /** The request id of a call: may be sent with a call, and is in every result. */
    static final String REQUEST_ID = "toolgate/request-id";

    static final String ERROR = "toolgate/error";
    static final String APPROVAL = "toolgate/approval";

    private McpResults() {}

    /** The result of a call of a tool that its caller may see. */
    static ObjectNode of(Answer answer, BlockBytes bytes) {
        ObjectNode result =
                switch (answer) {
                    case Answer.Ended ended -> of(ended.outcome(), bytes);
                    case Answer.Held held -> held(held);
                    case Answer.Permitted _ -> throw new IllegalStateException("This door asks for no permits.");
                    case Answer.Undecided undecided ->
                        failed(undecided.failure(), undecided.failure().code().remediation());
                };
        result.withObjectProperty(MetaKeys.META)
                .put(REQUEST_ID, answer.requestId().value());
        return result;
    }

    private static ObjectNode of(Outcome outcome, BlockBytes bytes) {
        return switch (outcome) {
            case Outcome.Completed completed -> completed(completed.output(), bytes);
            case Outcome.Failed failed -> failed(failed.failure(), failed.remediation());
            case Outcome.Refused refused ->
                failed(refused.failure(), refused.failure().code().remediation());
        };
    }

    private static ObjectNode completed(Output output, BlockBytes bytes) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        ServerResult original = output.original();
        if (original == null) {
            content(result.putArray("content"), output);
        } else {
            result.set("content", blocks(original, output.artifacts(), bytes));
            if (original.meta() != null) {
                result.set(MetaKeys.META, original.meta().deepCopy());
            }
        }
        Object structured = output.structured();
        if (structured != null) {
            JsonNode tree = structured instanceof JsonNode known ? known : Json.MAPPER.valueToTree(structured);
            if (tree.isObject()) {
                result.set("structuredContent", tree);
            }
        }
        if (output.verdict() == Output.Verdict.ERROR) {
            result.put("isError", true);
        }
        return result;
    }

    private static void content(ArrayNode content, Output output) {
        text(content, output.text());
        for (Artifact artifact : output.artifacts()) {
            link(content, artifact);
        }
    }

    private static void link(ArrayNode content, Artifact artifact) {
        if (artifact.uri() != null) {
            content.addObject()
                    .put("type", "resource_link")
                    .put("uri", ArtifactResources.uri(artifact.uri()))
                    .put("name", artifact.name())
                    .put("mimeType", artifact.mediaType());
        }
    }

    /** The blocks of a server behind the gate, with their bytes. */
    private static ArrayNode blocks(ServerResult original, List<Artifact> artifacts, BlockBytes bytes) {
        ArrayNode blocks = Json.MAPPER.createArrayNode();
        for (JsonNode block : original.content()) {
            JsonNode index = block.path(ServerResult.ARTIFACT);
            if (index.isInt() && index.intValue() >= 0 && index.intValue() < artifacts.size()) {
                Artifact artifact = artifacts.get(index.intValue());
                Optional<String> data = bytes.base64(artifact);
                if (data.isEmpty()) {
                    link(blocks, artifact);
                } else {
                    blocks.add(filled((ObjectNode) block, data.get()));
                }
            } else {
                blocks.add(block);
            }
        }
        return blocks;
    }

    private static ObjectNode filled(ObjectNode block, String data) {
        ObjectNode filled = block.deepCopy();
        filled.remove(ServerResult.ARTIFACT);
        if (filled.path("resource") instanceof ObjectNode resource) {
            resource.put("blob", data);
        } else {
            filled.put("data", data);
        }
        return filled;
    }

    private static void text(ArrayNode content, String text) {
        content.addObject().put("type", "text").put("text", text);
    }

    private static ObjectNode failed(Failure failure, String remediation) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        ArrayNode content = result.putArray("content");
        text(content, sentence(failure.message()) + " " + remediation);
        Output partial = failure.partial();
        if (partial != null && !partial.text().isEmpty()) {
            content(content, partial);
        }
        result.put("isError", true);
        ObjectNode error = result.putObject(MetaKeys.META).putObject(ERROR);
        error.put("code", failure.code().name()).put("retryable", failure.code().retryable());
        Map<String, Object> facts = failure.facts();
        if (!facts.isEmpty()) {
            error.set("details", Json.MAPPER.valueToTree(facts));
        }
        return result;
    }

    private static ObjectNode held(Answer.Held held) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        RequestId request = held.requestId();
        text(
                result.putArray("content"),
                "The call was not made yet, because a person must approve it first (approval " + held.question()
                        + ", open until " + held.expiresAt() + "). " + sentence(held.reason())
                        + " Send the same call with the same arguments again later: once it is approved it runs, and"
                        + " sending it again collects its outcome.");
        result.put("isError", true);
        result.putObject(MetaKeys.META)
                .putObject(APPROVAL)
                .put("id", held.question().toString())
                .put("requestId", request.value())
                .put("expiresAt", held.expiresAt().toString());
        return result;
    }

    private static String sentence(String text) {
        return text.isEmpty() || text.endsWith(".") || text.endsWith("!") || text.endsWith("?") ? text : text + ".";
    }
}
