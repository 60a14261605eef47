package dev.toolgate.runtime.tools.data;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.command.FinishedCommand;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes why a script failed, with the package to install if one is missing. */
final class ScriptFailure {
    private static final Pattern MISSING =
            Pattern.compile("(?m)^ModuleNotFoundError: No module named '([A-Za-z0-9_]+)[^']*'");
    private static final Map<String, String> PACKAGES = Map.of(
            "PIL", "pillow",
            "bs4", "beautifulsoup4",
            "cv2", "opencv-python",
            "dateutil", "python-dateutil",
            "sklearn", "scikit-learn",
            "skimage", "scikit-image",
            "yaml", "PyYAML");
    private static final int MAX_LINES = 20;
    private static final int MAX_LINE_LENGTH = 500;

    private ScriptFailure() {}

    static ToolFailure of(FinishedCommand finished) {
        return new ToolFailure(
                Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, message(finished))
                        .withDetails(Map.of("exitCode", finished.exitCode(), "traceback", end(finished.stderr())))
                        .withPartial(Output.text(finished.report())),
                null);
    }

    private static String message(FinishedCommand finished) {
        Matcher missing = MISSING.matcher(finished.stderr());
        if (missing.find()) {
            String name = missing.group(1);
            return "The script needs the Python package '" + name + "', which is not installed where Toolgate runs; to"
                    + " fix it: pip install " + PACKAGES.getOrDefault(name, name);
        }
        List<String> lines =
                finished.stderr().lines().filter(line -> !line.isBlank()).toList();
        return "The script ended with exit code " + finished.exitCode()
                + (lines.isEmpty() ? "" : ": " + HeadTail.fit(lines.getLast().strip(), MAX_LINE_LENGTH));
    }

    private static String end(String stderr) {
        List<String> lines = stderr.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
    }
}
