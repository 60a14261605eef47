package dev.toolgate.tools.github;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import dev.toolgate.tools.Calls;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

class GitHubContractsTest {

    /** The common part of the contracts of GitHub tools. */
    abstract static class OnGitHub extends ToolContract {
        private final Function<GitHubAccess, Tool<?>> making;
        private FakeGitHub gitHub;
        private GitHubAccess withoutToken;

        OnGitHub(Function<GitHubAccess, Tool<?>> making) {
            this.making = making;
        }

        @BeforeEach
        void start() throws IOException {
            gitHub = new FakeGitHub();
            withoutToken = gitHub.access(Secrets.NONE, Duration.ofSeconds(5));
        }

        @AfterEach
        void stop() {
            withoutToken.close();
            gitHub.close();
        }

        /** The arguments with a target that does not exist. */
        abstract Map<String, ?> at(String repository);

        Map<String, ?> on(String repository, Map<String, ?> more) {
            Map<String, Object> arguments = new HashMap<>(more);
            arguments.put("pr_url", "https://" + gitHub.instance().authority() + "/org/" + repository + "/pull/1");
            return arguments;
        }

        @Override
        protected Tool<?> tool() {
            return making.apply(gitHub.access());
        }

        @Override
        protected Caller caller() {
            return Calls.ALICE;
        }

        @Override
        protected Map<String, ?> good() {
            return at("repo");
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    new Trouble(
                            "no token",
                            making.apply(withoutToken),
                            good(),
                            ErrorCode.TOOL_EXECUTION_FAILED,
                            "GITHUB_TOKEN"),
                    new Trouble(
                            "an invalid name", tool(), at("not a name"), ErrorCode.INVALID_REQUEST, "Field '", "must"));
        }

        @Override
        protected Optional<Map<String, ?>> endless() {
            return Optional.of(at("stall"));
        }

        @Override
        protected List<String> secrets() {
            return List.of(FakeGitHub.TOKEN);
        }
    }

    @Nested
    class CreateRepo extends OnGitHub {
        CreateRepo() {
            super(GitHubCreateRepoTool::new);
        }

        @Override
        Map<String, ?> at(String repository) {
            return Map.of("name", repository, "description", "demo", "is_private", false);
        }
    }

    @Nested
    class GetPrDetails extends OnGitHub {
        GetPrDetails() {
            super(GitHubGetPrDetailsTool::new);
        }

        @Override
        Map<String, ?> at(String repository) {
            return on(repository, Map.of());
        }
    }

    @Nested
    class PostPrComment extends OnGitHub {
        PostPrComment() {
            super(GitHubPostPrCommentTool::new);
        }

        @Override
        Map<String, ?> at(String repository) {
            return on(repository, Map.of("comment", "Looks good"));
        }
    }

    @Nested
    class MergePr extends OnGitHub {
        MergePr() {
            super(GitHubMergePrTool::new);
        }

        @Override
        Map<String, ?> at(String repository) {
            return on(repository, Map.of("method", "squash"));
        }
    }

    @Nested
    class CreateFile extends OnGitHub {
        CreateFile() {
            super(GitHubCreateFileTool::new);
        }

        @Override
        Map<String, ?> at(String repository) {
            return Map.of(
                    "repo_name", "org/" + repository,
                    "path", "docs/a b#c?.md",
                    "content", "# Hello",
                    "commit_message", "Add readme");
        }
    }
}
