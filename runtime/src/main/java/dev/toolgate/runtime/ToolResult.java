package dev.toolgate.runtime;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call for an agent host. Its JSON form is the {@code ToolResult} schema shared by local and remote
 * tools, without additional properties.
 *
 * @param artifacts the artifacts of the URIs with their content, for a host that uploads them
 * @param metadata small values beside the output, for example {@code exitCode}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolResult(
        String toolName,
        String sessionId,
        String taskId,
        String stepId,
        Status status,
        @Nullable String outputText,
        @Nullable List<String> artifactUris,
        @Nullable Problem error,
        @JsonIgnore List<Artifact> artifacts,
        @JsonIgnore Map<String, Object> metadata,
        @JsonIgnore @Nullable Object structured) {

    /** How the call ended, as the schema names it. */
    public enum Status {
        SUCCEEDED,
        FAILED,
        DENIED;

        @JsonValue
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What went wrong. */
    public record Problem(String code, String message) {}

    /** The result for an outcome. */
    public static ToolResult of(ToolRequest request, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> of(request, completed.output());
            case Outcome.Failed failed -> of(request, Status.FAILED, failed.failure());
            case Outcome.Refused refused -> of(request, Status.DENIED, refused.failure());
        };
    }

    private static ToolResult of(ToolRequest request, Output output) {
        return switch (output.verdict()) {
            case OK -> of(request, Status.SUCCEEDED, output, null);
            case ERROR ->
                of(
                        request,
                        Status.FAILED,
                        output,
                        new Problem(
                                "TOOL_EXECUTION_FAILED",
                                output.text().lines().findFirst().orElse("The tool failed")));
        };
    }

    private static ToolResult of(ToolRequest request, Status status, Failure failure) {
        return of(request, status, failure.partial(), new Problem(failure.code().name(), failure.message()));
    }

    private static ToolResult of(ToolRequest request, Status status, @Nullable Output output, @Nullable Problem error) {
        List<Artifact> artifacts = output == null ? List.of() : output.artifacts();
        List<String> uris =
                artifacts.stream().map(Artifact::uri).filter(Objects::nonNull).toList();
        return new ToolResult(
                request.toolName(),
                request.sessionId(),
                request.taskId(),
                request.stepId(),
                status,
                output == null ? null : output.text(),
                uris.isEmpty() ? null : uris,
                error,
                artifacts,
                output == null ? Map.of() : output.metadata(),
                output == null ? null : output.structured());
    }
}
