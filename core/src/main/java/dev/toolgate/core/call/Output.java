package dev.toolgate.core.call;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a tool returns; each dialect renders it its own way.
 *
 * @param text what a model reads
 * @param structured a record in the shape of the tool's result type, for programs
 * @param metadata small facts such as {@code exitCode}
 * @param verdict whether the executed program reports success or an error
 * @param original the result as an MCP server sent it; {@code null} for other tools, and if the output was shortened
 */
public record Output(
        String text,
        @Nullable Object structured,
        Map<String, Object> metadata,
        List<Artifact> artifacts,
        Verdict verdict,
        @Nullable ServerResult original) {

    /** What the executed program reports. A command with exit code 1 is an {@code ERROR}. */
    public enum Verdict {
        OK,
        ERROR
    }

    public Output {
        metadata = Map.copyOf(metadata);
        artifacts = List.copyOf(artifacts);
    }

    public static Output text(String text) {
        return new Output(text, null, Map.of(), List.of(), Verdict.OK, null);
    }

    public static Output of(String text, Object structured) {
        return new Output(text, structured, Map.of(), List.of(), Verdict.OK, null);
    }

    /** Output from a JSON value: a string as text, anything else as JSON text and structured; null as empty text. */
    public static Output json(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return text("");
        }
        return value.isString() ? text(value.stringValue()) : of(value.toString(), value);
    }

    public Output withText(String newText) {
        return new Output(newText, structured, metadata, artifacts, verdict, original);
    }

    public Output with(Map<String, Object> newMetadata) {
        return new Output(text, structured, newMetadata, artifacts, verdict, original);
    }

    public Output withArtifacts(List<Artifact> newArtifacts) {
        return new Output(text, structured, metadata, newArtifacts, verdict, original);
    }

    public Output withVerdict(Verdict newVerdict) {
        return new Output(text, structured, metadata, artifacts, newVerdict, original);
    }

    public Output withOriginal(@Nullable ServerResult newOriginal) {
        return new Output(text, structured, metadata, artifacts, verdict, newOriginal);
    }
}
