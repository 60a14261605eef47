package dev.toolgate.tools.github;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code github_create_repo}: creates a repository for the account of the token. */
public final class GitHubCreateRepoTool implements Tool<GitHubCreateRepoTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC =
            GitHubSpecs.writing("github_create_repo", Arguments.class, Result.class, "Create a repository on GitHub");

    private final GitHubAccess access;

    public GitHubCreateRepoTool(GitHubAccess access) {
        this.access = access;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The repository's name", minLength = 1)
            String name,

            @Param("The description of the repository") @Nullable
            String description,

            @Param(value = "Whether the repository is private", defaultValue = "true")
            @JsonProperty("is_private")
            @Nullable
            Boolean isPrivate) {
        boolean hidden() {
            return isPrivate == null || isPrivate; // private unless explicitly public
        }
    }

    /** The result. */
    public record Result(@JsonProperty("repo_url") String repoUrl) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        String name = RepositoryName.checkName("name", arguments.name());
        String url = access.run(context, gitHub -> gitHub.createRepository(name)
                .description(arguments.description() == null ? "" : arguments.description())
                .private_(arguments.hidden())
                .create()
                .getHtmlUrl()
                .toString());
        return Output.of("Created " + url, new Result(url));
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        return Optional.of("Create the " + (arguments.hidden() ? "private" : "PUBLIC") + " repository "
                + RepositoryName.checkName("name", arguments.name()) + " on "
                + access.instance().authority());
    }
}
