package dev.toolgate.tools.build;

import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.runtime.output.ArtifactRule;
import java.util.Locale;
import java.util.Map;

/** How a build ended, for people and for programs. */
record BuildReport(String name, RunningBuild.State end) {
    private static final int SHOWN_LOG = 8 * 1024;

    Output output(String log, ToolContext context) {
        String status = end.phase().name().toLowerCase(Locale.ROOT);
        StringBuilder text = new StringBuilder("Build '" + name + "' "
                + (end.phase().ended() ? "has ended: " + status : "is " + status + " and goes on by itself"));
        if (!end.link().isEmpty()) {
            text.append("\n").append(end.link());
        }
        if (!log.isBlank()) {
            text.append("\n\nEnd of the log:\n").append(tail(log, context.maxOutputBytesOr(SHOWN_LOG) / 2));
        }
        return Output.of(text.toString(), new RemoteBuildTool.Result(name, status, end.link()))
                .with(Map.of("status", status))
                .judged(
                        end.phase() == RunningBuild.Phase.FAILED || end.phase() == RunningBuild.Phase.CANCELLED
                                ? Output.Verdict.ERROR
                                : Output.Verdict.OK)
                .attaching(ArtifactRule.COMMAND_OUTPUT.extract("build.log", Content.of(log)).stream()
                        .toList());
    }

    private static String tail(String log, int most) {
        int room = Math.min(most, SHOWN_LOG);
        if (log.length() <= room) {
            return log;
        }
        int start = log.length() - room;
        int line = log.indexOf('\n', start);
        return log.substring(line < 0 || line == log.length() - 1 ? start : line + 1);
    }
}
