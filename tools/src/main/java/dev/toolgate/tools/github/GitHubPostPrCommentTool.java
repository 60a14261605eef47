package dev.toolgate.tools.github;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Map;
import java.util.Optional;

/** {@code github_post_pr_comment}: posts a comment on a pull request. */
public final class GitHubPostPrCommentTool implements Tool<GitHubPostPrCommentTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = GitHubSpecs.writing(
            "github_post_pr_comment", Arguments.class, Result.class, "Post a comment on a pull request on GitHub");
    private static final int MAX_LENGTH = 65_536; // GitHub's own limit

    private final GitHubAccess access;

    public GitHubPostPrCommentTool(GitHubAccess access) {
        this.access = access;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The URL of the pull request", minLength = 1) @JsonProperty("pr_url")
            String prUrl,

            @Param(value = "The comment, in Markdown", minLength = 1)
            String comment) {}

    /** The result. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        PullRequestAddress address = PullRequestAddress.parse(arguments.prUrl(), access.instance());
        if (arguments.comment().isBlank() || arguments.comment().length() > MAX_LENGTH) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST, "Field 'comment' must be 1 to " + MAX_LENGTH + " characters");
        }
        long id = access.run(context, address, pullRequest -> pullRequest
                .comment(arguments.comment())
                .getId());
        return Output.of("Comment posted", new Result("Comment posted")).with(Map.of("commentId", id));
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        PullRequestAddress address = PullRequestAddress.parse(arguments.prUrl(), access.instance());
        return Optional.of("Comment on " + address.repository() + "#" + address.number() + ":\n" + arguments.comment());
    }
}
