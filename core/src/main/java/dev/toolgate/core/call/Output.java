package dev.toolgate.core.call;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a tool returns. Each dialect shows its own view of it.
 *
 * @param text what a model reads
 * @param structured a record in the shape of the tool's result type, for programs
 * @param metadata small facts beside the output, for example {@code exitCode}
 * @param verdict whether what the tool ran reports success or an error of its own
 */
public record Output(
        String text,
        @Nullable Object structured,
        Map<String, Object> metadata,
        List<Artifact> artifacts,
        Verdict verdict) {

    /** What the thing that ran says about itself. A command with exit code 1 is an {@code ERROR}. */
    public enum Verdict {
        OK,
        ERROR
    }

    public Output {
        metadata = Map.copyOf(metadata);
        artifacts = List.copyOf(artifacts);
    }

    public static Output text(String text) {
        return new Output(text, null, Map.of(), List.of(), Verdict.OK);
    }

    public static Output of(String text, Object structured) {
        return new Output(text, structured, Map.of(), List.of(), Verdict.OK);
    }

    public Output saying(String newText) {
        return new Output(newText, structured, metadata, artifacts, verdict);
    }

    public Output with(Map<String, Object> newMetadata) {
        return new Output(text, structured, newMetadata, artifacts, verdict);
    }

    public Output attaching(List<Artifact> newArtifacts) {
        return new Output(text, structured, metadata, newArtifacts, verdict);
    }

    public Output judged(Verdict newVerdict) {
        return new Output(text, structured, metadata, artifacts, newVerdict);
    }
}
