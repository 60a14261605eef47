package dev.toolgate.tools.github;

import dev.toolgate.core.tool.Tool;
import java.util.List;

/** The list of GitHub tools. */
public final class GitHubTools {
    private GitHubTools() {}

    public static List<Tool<?>> all(GitHubAccess access) {
        return List.of(
                new GitHubCreateRepoTool(access),
                new GitHubGetPrDetailsTool(access),
                new GitHubPostPrCommentTool(access),
                new GitHubMergePrTool(access),
                new GitHubCreateFileTool(access));
    }
}
