package dev.toolgate.runtime.command;

import dev.toolgate.core.call.Artifact;
import java.util.List;
import java.util.Map;

/**
 * The result of a command that has ended.
 *
 * @param report exit code and output as one text, for people and models
 * @param stdout standard output, truncated to the call's limit
 * @param stderr standard error, truncated likewise
 * @param artifacts complete outputs that are long
 */
public record FinishedCommand(
        int exitCode,
        String report,
        String stdout,
        String stderr,
        List<Artifact> artifacts,
        Map<String, Object> metadata) {
    public FinishedCommand {
        artifacts = List.copyOf(artifacts);
        metadata = Map.copyOf(metadata);
    }
}
