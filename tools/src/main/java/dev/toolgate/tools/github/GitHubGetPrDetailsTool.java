package dev.toolgate.tools.github;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kohsuke.github.GHPullRequest;
import org.kohsuke.github.GHPullRequestFileDetail;

/** {@code github_get_pr_details}: returns title, description and changed files of a pull request. */
public final class GitHubGetPrDetailsTool implements Tool<GitHubGetPrDetailsTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = GitHubSpecs.reading(
            "github_get_pr_details",
            Arguments.class,
            Result.class,
            "Get the title, description and changed files of a pull request on GitHub");
    private static final int MAX_FILES = 3000; // GitHub's own limit
    private static final int PAGE_SIZE = 100;

    private final GitHubAccess access;

    public GitHubGetPrDetailsTool(GitHubAccess access) {
        this.access = access;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The URL of the pull request", minLength = 1) @JsonProperty("pr_url")
            String prUrl) {}

    /** The result. */
    public record Result(String title, String body, List<String> files) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        PullRequestAddress address = PullRequestAddress.parse(arguments.prUrl(), access.instance());
        Result result = access.run(context, address, GitHubGetPrDetailsTool::read);
        String text =
                result.title() + "\n\n" + result.body() + "\n\nChanged files:\n" + String.join("\n", result.files());
        return Output.of(HeadTail.fit(text, context.maxOutputBytesOr(ToolContext.DEFAULT_OUTPUT_BYTES)), result)
                .with(Map.of("fileCount", result.files().size()));
    }

    private static Result read(GHPullRequest pullRequest) {
        List<String> files = new ArrayList<>();
        for (GHPullRequestFileDetail file : pullRequest.listFiles().withPageSize(PAGE_SIZE)) {
            files.add(file.getFilename());
            if (files.size() == MAX_FILES) {
                break;
            }
        }
        String body = pullRequest.getBody();
        return new Result(pullRequest.getTitle(), body == null ? "" : body, files);
    }
}
