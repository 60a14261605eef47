package dev.toolgate.tools.github;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** {@code github_create_file_in_repo}: commits a new file to a repository's default branch. */
public final class GitHubCreateFileTool implements Tool<GitHubCreateFileTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = GitHubSpecs.writing(
            "github_create_file_in_repo",
            Arguments.class,
            Result.class,
            "Commit a new file to the default branch of a repository on GitHub");
    private static final int MAX_BYTES = 10 << 20;
    private static final int MAX_PATH_LENGTH = 1000;
    private static final int PREVIEW_BYTES = 4096;

    private final GitHubAccess access;

    public GitHubCreateFileTool(GitHubAccess access) {
        this.access = access;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "Owner and name, for example octocat/hello-world", minLength = 1) @JsonProperty("repo_name")
            String repoName,

            @Param(value = "The file's path in the repository", minLength = 1)
            String path,

            @Param("The file's text") String content,

            @Param(value = "The commit message", minLength = 1) @JsonProperty("commit_message")
            String commitMessage) {}

    /** The result. */
    public record Result(@JsonProperty("commit_sha") String commitSha) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        RepositoryName repository = RepositoryName.parse("repo_name", arguments.repoName());
        String path = path(arguments.path());
        byte[] content = arguments.content().getBytes(StandardCharsets.UTF_8);
        if (content.length > MAX_BYTES) {
            throw invalid("Field 'content' is larger than 10 MB");
        }
        String sha = access.run(context, gitHub -> gitHub.getRepository(repository.toString())
                .createContent()
                .path(path)
                .content(content)
                .message(arguments.commitMessage())
                .commit()
                .getCommit()
                .getSHA1());
        return Output.of("Created " + path + " in " + repository + " with commit " + sha, new Result(sha));
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        return Optional.of("Commit " + path(arguments.path()) + " to "
                + RepositoryName.parse("repo_name", arguments.repoName()) + " (" + arguments.commitMessage() + "):\n"
                + HeadTail.fit(arguments.content(), PREVIEW_BYTES));
    }

    private static String path(String path) throws ToolFailure {
        if (path.length() > MAX_PATH_LENGTH
                || path.chars().anyMatch(Character::isISOControl)
                || Arrays.stream(path.split("/", -1))
                        .anyMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."))) {
            throw invalid("Field 'path' must be a path in the repository, for example docs/readme.md");
        }
        return path;
    }

    private static ToolFailure invalid(String message) {
        return new ToolFailure(ErrorCode.INVALID_REQUEST, message);
    }
}
