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

/** {@code github_get_pr_details}: what a pull request says, and the files it changes. */
public final class GitHubGetPrDetailsTool implements Tool<GitHubGetPrDetailsTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = GitHubSpecs.reading(
            "github_get_pr_details",
            Arguments.class,
            Result.class,
            "Get the title, description and changed files of a pull request on GitHub");
    private static final int MOST_FILES = 3000; // GitHub itself lists no more
    private static final int FILES_A_PAGE = 100;

    private final GitHubAccess access;

    public GitHubGetPrDetailsTool(GitHubAccess access) {
        this.access = access;
    }

    /** Which one. */
    public record Arguments(
            @Param(value = "The pull request's address", minLength = 1) @JsonProperty("pr_url")
            String prUrl) {}

    /** What it says. */
    public record Result(String title, String body, List<String> files) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        PullRequestAddress address = PullRequestAddress.parse(arguments.prUrl(), access.place());
        Result result = access.run(context, address, GitHubGetPrDetailsTool::read);
        String text =
                result.title() + "\n\n" + result.body() + "\n\nChanged files:\n" + String.join("\n", result.files());
        return Output.of(HeadTail.fit(text, context.maxOutputBytesOr(ToolContext.USUAL_OUTPUT_BYTES)), result)
                .with(Map.of("fileCount", result.files().size()));
    }

    private static Result read(GHPullRequest pullRequest) {
        List<String> files = new ArrayList<>();
        for (GHPullRequestFileDetail file : pullRequest.listFiles().withPageSize(FILES_A_PAGE)) {
            files.add(file.getFilename());
            if (files.size() == MOST_FILES) {
                break;
            }
        }
        String body = pullRequest.getBody();
        return new Result(pullRequest.getTitle(), body == null ? "" : body, files);
    }
}
