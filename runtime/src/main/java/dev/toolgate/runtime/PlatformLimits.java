package dev.toolgate.runtime;

import dev.toolgate.runtime.platform.Check;
import dev.toolgate.runtime.platform.Platform;
import java.util.List;

/** Features that are missing or weaker on an operating system. */
final class PlatformLimits {
    private static final String ELSEWHERE = "run Toolgate on Linux, or in WSL 2 on Windows";

    private PlatformLimits() {}

    /** The limitations of a platform; empty on Linux, where the features are tested instead. */
    static List<Check> of(Platform platform) {
        return switch (platform.name()) {
            case "Windows" ->
                List.of(
                        missing(
                                "commands",
                                "Windows has no sandbox for commands: bash is refused, or with sandbox.mode:"
                                        + " degraded it reaches every file and address its account can"),
                        missing(
                                "limits of commands",
                                "a session that limits commands, paths, file sizes or domains cannot run commands at"
                                        + " all"),
                        missing("dangerous files", "file tools refuse them, but a command in degraded mode reads them"),
                        missing("scripts", "data_analyze and data_visualize are refused, in degraded mode as well"),
                        missing("web pages", "browse_web does not render pages that need scripts"),
                        missing("links", "file tools refuse every path with a link in it"));
            case "macOS" ->
                List.of(
                        missing(
                                "limits of commands",
                                "a session that limits paths, file sizes or domains cannot run commands at all"),
                        missing("dangerous files", "file tools refuse them, but a command reads them"),
                        missing("scripts", "data_analyze and data_visualize are refused"),
                        missing("web pages", "browse_web does not render pages that need scripts"),
                        missing("links", "file tools refuse every path with a link in it"));
            default -> List.of();
        };
    }

    private static Check missing(String what, String detail) {
        return new Check(what, false, detail, ELSEWHERE);
    }
}
