package dev.toolgate.tools.github;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.kohsuke.github.GHPullRequest.MergeMethod;

/** {@code github_merge_pr}: merges the current head of a pull request. */
public final class GitHubMergePrTool implements Tool<GitHubMergePrTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC =
            GitHubSpecs.writing("github_merge_pr", Arguments.class, Result.class, "Merge a pull request on GitHub");

    private final GitHubAccess access;

    public GitHubMergePrTool(GitHubAccess access) {
        this.access = access;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The URL of the pull request", minLength = 1) @JsonProperty("pr_url")
            String prUrl,

            @Param(
                    value = "How to merge",
                    oneOf = {"merge", "squash", "rebase"},
                    defaultValue = "merge")
            @Nullable
            String method) {
        MergeMethod chosen() {
            return method == null ? MergeMethod.MERGE : MergeMethod.valueOf(method.toUpperCase(Locale.ROOT));
        }
    }

    /** The result. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        PullRequestAddress address = PullRequestAddress.parse(arguments.prUrl(), access.instance());
        access.run(context, address, pullRequest -> {
            // With the head commit, GitHub refuses if another commit was pushed in the meantime.
            pullRequest.merge(null, pullRequest.getHead().getSha(), arguments.chosen());
            return address;
        });
        return Output.of("PR merged", new Result("PR merged"));
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        PullRequestAddress address = PullRequestAddress.parse(arguments.prUrl(), access.instance());
        return Optional.of("Merge " + address.repository() + "#" + address.number() + " by "
                + arguments.chosen().name().toLowerCase(Locale.ROOT));
    }
}
