package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.ServerResult;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.schema.ArgumentCheck;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.output.ArtifactRule;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns the result of a server's tool into output: text for models, artifacts for bytes, and the original result. */
final class UpstreamOutput {
    private static final int MAX_BLOCKS = 10_000;
    private static final int MAX_ARTIFACTS = 100;
    private static final int SHOWN_URI = 500;
    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,60}");

    private final String tool;
    private final StringBuilder text = new StringBuilder();
    private final List<Artifact> artifacts = new ArrayList<>();
    private final ArrayNode original = Json.MAPPER.createArrayNode();

    private UpstreamOutput(String tool) {
        this.tool = tool;
    }

    /**
     * The output for a result.
     *
     * @param check validates the structured content; {@code null} if the tool declares none
     * @param redactor masks the secrets that the server repeats
     */
    static Output of(
            String tool, ObjectNode result, @Nullable ArgumentCheck check, Redactor redactor, ToolContext context)
            throws ToolFailure {
        UpstreamOutput output = new UpstreamOutput(tool);
        Output.Verdict verdict = result.path("isError").asBoolean(false) ? Output.Verdict.ERROR : Output.Verdict.OK;
        ObjectNode structured = output.structured(result, check, verdict);
        output.readContent(result);
        if (output.text.isEmpty() && structured != null) {
            output.text.append(structured);
        }
        return output.finish(structured, verdict, result.get("_meta"), redactor, context);
    }

    private @Nullable ObjectNode structured(ObjectNode result, @Nullable ArgumentCheck check, Output.Verdict verdict)
            throws ToolFailure {
        JsonNode structured = result.get("structuredContent");
        if (check == null || verdict == Output.Verdict.ERROR) {
            return structured instanceof ObjectNode object ? object : null;
        }
        if (!(structured instanceof ObjectNode object)) {
            throw invalid("it has no structured content, which its output schema requires");
        }
        Optional<String> problem = check.validate(object);
        if (problem.isPresent()) {
            throw invalid("it does not fit the tool's output schema: " + problem.get());
        }
        return object;
    }

    private void readContent(ObjectNode result) throws ToolFailure {
        JsonNode content = result.path("content");
        if (!content.isArray() && !content.isMissingNode()) {
            throw invalid("its content is not a list");
        }
        if (content.size() > MAX_BLOCKS) {
            throw invalid("it has more than " + MAX_BLOCKS + " content blocks");
        }
        for (JsonNode block : content) {
            if (!(block instanceof ObjectNode object)) {
                throw invalid("one of its content blocks is not an object");
            }
            original.add(readBlock(object));
        }
    }

    /** Adds a block to the text and the artifacts; returns it without its bytes. */
    private ObjectNode readBlock(ObjectNode block) throws ToolFailure {
        switch (block.path("type").asString("")) {
            case "text" -> line(block.path("text").asString(""));
            case "image", "audio" -> {
                String kind = block.path("type").stringValue();
                ObjectNode copy = block.deepCopy();
                copy.put(ServerResult.ARTIFACT, takeBytes(copy, "data", kind));
                return copy;
            }
            case "resource" -> {
                if (block.path("resource").path("blob").isString()) {
                    ObjectNode copy = block.deepCopy();
                    copy.put(ServerResult.ARTIFACT, takeBytes((ObjectNode) copy.path("resource"), "blob", "resource"));
                    return copy;
                }
                line("[resource " + uri(block.path("resource")) + "]");
                line(block.path("resource").path("text").asString(""));
            }
            case "resource_link" ->
                line("[link to resource " + uri(block) + ": "
                        + VisibleText.line(block.path("name").asString("")) + "]");
            default ->
                line("[content of type '"
                        + VisibleText.line(shortened(block.path("type").asString(""))) + "']");
        }
        return block;
    }

    /** Moves bytes from a field to an artifact and returns its index. */
    private int takeBytes(ObjectNode holder, String field, String kind) throws ToolFailure {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(holder.path(field).asString(""));
        } catch (IllegalArgumentException notBase64) {
            throw invalid("the bytes of its " + kind + " are not valid base64");
        }
        if (artifacts.size() == MAX_ARTIFACTS) {
            throw invalid("it has more than " + MAX_ARTIFACTS + " images, sounds and files");
        }
        holder.remove(field);
        String declared = holder.path("mimeType").asString("").toLowerCase(Locale.ROOT);
        String type = MEDIA_TYPE.matcher(declared).matches() ? declared : "application/octet-stream";
        int index = artifacts.size();
        artifacts.add(Artifact.of(
                kind.equals("image") ? "image" : "tool_output",
                type,
                kind + "-" + (index + 1) + suffix(type),
                Content.of(bytes)));
        line("[" + kind + " of type " + type + ", " + bytes.length + " bytes, attached as an artifact]");
        return index;
    }

    private static String suffix(String type) {
        String subtype = type.substring(type.indexOf('/') + 1);
        return subtype.matches("[a-z0-9]{1,8}") ? "." + subtype : "";
    }

    private void line(String more) {
        if (!text.isEmpty() && !more.isEmpty()) {
            text.append('\n');
        }
        text.append(more);
    }

    private static String uri(JsonNode resource) {
        return VisibleText.line(shortened(resource.path("uri").asString("")));
    }

    private static String shortened(String value) {
        return value.length() <= SHOWN_URI ? value : value.substring(0, SHOWN_URI) + "…";
    }

    // The pipeline masks the rest of the output, but neither artifacts nor what is left of a secret when text is cut.
    private Output finish(
            @Nullable ObjectNode structured,
            Output.Verdict verdict,
            @Nullable JsonNode meta,
            Redactor redactor,
            ToolContext context) {
        String whole = redactor.hideKnown(text.toString());
        ArtifactRule.MCP_RESULT.extract("result.txt", Content.of(whole)).ifPresent(artifacts::add);
        String shown = HeadTail.fit(whole, context.maxOutputBytesOr(ToolContext.DEFAULT_OUTPUT_BYTES));
        // If the caller's output is limited, the original result must not reveal the truncated rest.
        boolean isLimited = context.bounds().maxOutputBytes() != null && !shown.equals(whole);
        return new Output(
                shown,
                structured,
                Map.of(),
                artifacts,
                verdict,
                isLimited ? null : new ServerResult(original, meta instanceof ObjectNode object ? object : null));
    }

    private ToolFailure invalid(String why) {
        return new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED, "The tool '" + tool + "' ran, but its result is withheld: " + why);
    }
}
