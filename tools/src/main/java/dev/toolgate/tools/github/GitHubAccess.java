package dev.toolgate.tools.github;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.kohsuke.github.GHPullRequest;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.GitHubAbuseLimitHandler;
import org.kohsuke.github.GitHubBuilder;
import org.kohsuke.github.GitHubRateLimitHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accesses GitHub with the token of the calling tenant. */
public final class GitHubAccess implements AutoCloseable {
    /** The name of the secret. */
    static final String TOKEN = "GITHUB_TOKEN";

    private static final Logger LOG = LoggerFactory.getLogger(GitHubAccess.class);

    private final GitHubInstance instance;
    private final Secrets secrets;
    private final GitHubConnection connection;

    /** @param timeout the time limit of one request */
    public GitHubAccess(GitHubInstance instance, Secrets secrets, Duration timeout, Clock clock) {
        this.instance = instance;
        this.secrets = secrets;
        this.connection = new GitHubConnection(
                HttpClient.newBuilder()
                        .connectTimeout(timeout)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .build(),
                instance.apiUrl(),
                timeout,
                clock);
    }

    GitHubInstance instance() {
        return instance;
    }

    /** Work with the GitHub library. */
    @FunctionalInterface
    interface Work<T> {
        T with(GitHub gitHub) throws IOException;
    }

    <T> T run(ToolContext context, Work<T> work) throws ToolFailure, InterruptedException {
        String token = secrets.find(context.call().caller().tenant(), TOKEN)
                .filter(found -> !found.isEmpty() && found.chars().allMatch(c -> c > ' ' && c < 127))
                .orElseThrow(() -> new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "There is no GitHub token for this tenant; set " + TOKEN
                                + " to a token, in the environment or among the tenant's secrets"));
        try {
            return work.with(new GitHubBuilder()
                    .withEndpoint(instance.apiUrl().toString())
                    .withAuthorizationProvider(
                            () -> "Bearer " + token) // the builder's own method would request the user first
                    .withConnector(connection)
                    .withRateLimitHandler(GitHubRateLimitHandler.FAIL)
                    .withAbuseLimitHandler(GitHubAbuseLimitHandler.FAIL)
                    .build());
        } catch (GitHubRefusal refusal) {
            throw refusal.failure();
        } catch (GitHubRefusal.Interrupted stopped) {
            throw new InterruptedException();
        } catch (IOException unreadable) {
            LOG.warn("Unexpected response from GitHub: {}", unreadable.getMessage());
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "GitHub's response was not understood; check on GitHub whether the request took effect");
        }
    }

    /** The same for one pull request. */
    <T> T run(ToolContext context, PullRequestAddress address, PullRequestWork<T> work)
            throws ToolFailure, InterruptedException {
        return run(
                context,
                gitHub -> work.with(
                        gitHub.getRepository(address.repository().toString()).getPullRequest(address.number())));
    }

    /** Work with a pull request. */
    @FunctionalInterface
    interface PullRequestWork<T> {
        T with(GHPullRequest pullRequest) throws IOException;
    }

    @Override
    public void close() {
        connection.client().shutdownNow();
    }
}
