package dev.toolgate.runtime.command;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.runtime.output.ArtifactRule;
import dev.toolgate.runtime.output.OutputCapture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The complete output of a command as artifacts where it is long, and metadata about its size. */
record CapturedArtifacts(OutputCapture stdout, OutputCapture stderr) {
    private static final Logger LOG = LoggerFactory.getLogger(CapturedArtifacts.class);

    /** The artifacts; call once, after all output was read. */
    List<Artifact> extract() {
        List<Artifact> artifacts = new ArrayList<>(2);
        extract(stdout, "stdout.txt", artifacts);
        extract(stderr, "stderr.txt", artifacts);
        return artifacts;
    }

    /** Exit code and output sizes; where an artifact was truncated, also the size kept. */
    Map<String, Object> metadata(int exitCode) {
        Map<String, Object> facts = new TreeMap<>();
        facts.put("exitCode", exitCode);
        describe(stdout, "stdout", facts);
        describe(stderr, "stderr", facts);
        return facts;
    }

    private static void describe(OutputCapture capture, String name, Map<String, Object> facts) {
        facts.put(name + "Bytes", capture.bytes());
        if (capture.spooledBytes() < capture.bytes()) {
            facts.put(name + "BytesKept", capture.spooledBytes());
        }
    }

    // The command has run; its result matters more than the full output, so a failure is only logged.
    private static void extract(OutputCapture capture, String name, List<Artifact> artifacts) {
        try {
            capture.artifact(ArtifactRule.COMMAND_OUTPUT, name).ifPresent(artifacts::add);
        } catch (IOException full) {
            LOG.warn("{} of a command could not be stored as an artifact", name, full);
        }
    }
}
