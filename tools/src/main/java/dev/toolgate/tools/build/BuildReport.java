package dev.toolgate.tools.build;

import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.runtime.output.ArtifactRule;
import java.util.Locale;
import java.util.Map;

/** The output of {@code remote_build}. */
record BuildReport(String name, RunningBuild.State end) {
    private static final int SHOWN_LOG = 8 * 1024;

    Output output(String log, ToolContext context) {
        String status = end.phase().name().toLowerCase(Locale.ROOT);
        StringBuilder text = new StringBuilder("Build '" + name + "' "
                + (end.phase().ended()
                        ? "has ended: " + status
                        : "is " + status + " and continues on the build" + " service"));
        if (!end.link().isEmpty()) {
            text.append("\n").append(end.link());
        }
        if (!log.isBlank()) {
            text.append("\n\nEnd of the log:\n").append(tail(log, context.maxOutputBytesOr(SHOWN_LOG) / 2));
        }
        return Output.of(text.toString(), new RemoteBuildTool.Result(name, status, end.link()))
                .with(Map.of("status", status))
                .withVerdict(
                        end.phase() == RunningBuild.Phase.FAILED || end.phase() == RunningBuild.Phase.CANCELLED
                                ? Output.Verdict.ERROR
                                : Output.Verdict.OK)
                .withArtifacts(ArtifactRule.COMMAND_OUTPUT.extract("build.log", Content.of(log)).stream()
                        .toList());
    }

    private static String tail(String log, int maxBytes) {
        int room = Math.min(maxBytes, SHOWN_LOG);
        if (log.length() <= room) {
            return log;
        }
        int start = log.length() - room;
        int line = log.indexOf('\n', start);
        return log.substring(line < 0 || line == log.length() - 1 ? start : line + 1);
    }
}
