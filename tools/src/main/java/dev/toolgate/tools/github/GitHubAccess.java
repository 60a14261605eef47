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

/** Does work on GitHub with the token of the tenant that calls. */
public final class GitHubAccess implements AutoCloseable {
    /** The name of the secret. */
    static final String TOKEN = "GITHUB_TOKEN";

    private static final Logger LOG = LoggerFactory.getLogger(GitHubAccess.class);

    private final GitHubPlace place;
    private final Secrets secrets;
    private final GitHubConnection connection;

    /**
     * @param patience how long one answer may take
     */
    public GitHubAccess(GitHubPlace place, Secrets secrets, Duration patience, Clock clock) {
        this.place = place;
        this.secrets = secrets;
        this.connection = new GitHubConnection(
                HttpClient.newBuilder()
                        .connectTimeout(patience)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .build(),
                place.apiUrl(),
                patience,
                clock);
    }

    GitHubPlace place() {
        return place;
    }

    /** Something to do with the library. */
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
                                + " to one, in the environment or where the tenant's secrets are kept"));
        try {
            return work.with(new GitHubBuilder()
                    .withEndpoint(place.apiUrl().toString())
                    .withAuthorizationProvider(() -> "Bearer " + token) // the builder's own way asks who it is first
                    .withConnector(connection)
                    .withRateLimitHandler(GitHubRateLimitHandler.FAIL)
                    .withAbuseLimitHandler(GitHubAbuseLimitHandler.FAIL)
                    .build());
        } catch (GitHubRefusal refusal) {
            throw refusal.failure();
        } catch (GitHubRefusal.Interrupted stopped) {
            throw new InterruptedException();
        } catch (IOException unreadable) {
            LOG.warn("GitHub answered in a way that is not understood: {}", unreadable.getMessage());
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "GitHub's answer could not be understood; look on GitHub whether it did what was asked");
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

    /** Something to do with a pull request. */
    @FunctionalInterface
    interface PullRequestWork<T> {
        T with(GHPullRequest pullRequest) throws IOException;
    }

    @Override
    public void close() {
        connection.client().shutdownNow();
    }
}
