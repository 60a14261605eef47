package dev.toolgate.tools.github;

import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;

/** Common parts of the specs of GitHub tools. */
final class GitHubSpecs {
    private GitHubSpecs() {}

    static <R extends Record> ToolSpec<R> reading(
            String name, Class<R> arguments, Class<? extends Record> result, String description) {
        return ToolSpec.of(name, arguments, Category.GITHUB, "GitHub.Read", description)
                .sending()
                .returning(result)
                .within(Duration.ofMinutes(2));
    }

    static <R extends Record> ToolSpec<R> writing(
            String name, Class<R> arguments, Class<? extends Record> result, String description) {
        return ToolSpec.of(name, arguments, Category.GITHUB, "GitHub.Write", description)
                .dangerous()
                .returning(result)
                .within(Duration.ofMinutes(2));
    }
}
