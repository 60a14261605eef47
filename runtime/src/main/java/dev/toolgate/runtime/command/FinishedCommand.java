package dev.toolgate.runtime.command;

import dev.toolgate.core.call.Artifact;
import java.util.List;
import java.util.Map;

/**
 * How a command went.
 *
 * @param report exit code and output together, for people and models
 * @param stdout what it wrote, cut to the call's limit
 * @param stderr what it complained about, cut likewise
 * @param artifacts the whole of what is long
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
