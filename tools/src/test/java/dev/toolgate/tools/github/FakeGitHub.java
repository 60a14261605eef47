package dev.toolgate.tools.github;

import dev.toolgate.core.tool.Secrets;
import dev.toolgate.tools.ScriptedService;
import dev.toolgate.tools.ScriptedService.Answer;
import dev.toolgate.tools.ScriptedService.ReceivedRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The part of GitHub's REST API that the tools use, on loopback, under {@code /api/v3} as in GitHub Enterprise. */
final class FakeGitHub implements AutoCloseable {
    static final String TOKEN = "ghp_tokenOfAcme000000000000000000000000";
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final Secrets SECRETS = (tenant, name) ->
            tenant.value().equals("acme") && name.equals("GITHUB_TOKEN") ? Optional.of(TOKEN) : Optional.empty();

    private final ScriptedService service;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final GitHubAccess access;

    FakeGitHub() throws IOException {
        service = ScriptedService.start(this::answer);
        access = access(SECRETS, Duration.ofSeconds(10));
        String repo = "{'id':1,'name':'repo','full_name':'org/repo','owner':{'login':'org','id':2},'html_url':'"
                + "https://github.com/org/repo'}";
        on("GET /api/v3/repos/org/repo", Answer.json(repo));
        on("POST /api/v3/user/repos", Answer.status(201, repo));
        on("GET /api/v3/repos/org/repo/pulls/1", Answer.json("""
                {'id':7,'number':1,'title':'PR title','body':'What it is about','state':'open','changed_files':3,
                 'head':{'ref':'topic','sha':'abc123'},'base':{'ref':'main','sha':'def456'}}"""));
        on(
                "GET /api/v3/repos/org/repo/pulls/1/files?per_page=100",
                Answer.json("[{'filename':'a.ts','status':'added'},{'filename':'b/c.ts','status':'modified'}]")
                        .with(
                                "Link",
                                "<" + service.url()
                                        + "/api/v3/repos/org/repo/pulls/1/files?per_page=100&page=2>; rel=\"next\""));
        on(
                "GET /api/v3/repos/org/repo/pulls/1/files?per_page=100&page=2",
                Answer.json("[{'filename':'d.ts','status':'removed'}]"));
        on("POST /api/v3/repos/org/repo/issues/1/comments", Answer.status(201, "{'id':99,'body':'Looks good'}"));
        on(
                "PUT /api/v3/repos/org/repo/pulls/1/merge",
                Answer.json("{'sha':'fed','merged':true,'message':'Pull Request successfully merged'}"));
        on("PUT /api/v3/repos/org/repo/contents/docs/a%20b%23c%3F.md", Answer.status(201, """
                {'content':{'name':'a b#c?.md','path':'docs/a b#c?.md','sha':'111'},
                 'commit':{'sha':'abc123def','message':'Add readme'}}"""));
    }

    /** Sets the following responses. */
    FakeGitHub on(String line, Answer answer) {
        answers.put(line, answer);
        return this;
    }

    /** Responds to every request alike. */
    FakeGitHub always(Answer answer) {
        answers.clear();
        return on("*", answer);
    }

    GitHubAccess access() {
        return access;
    }

    GitHubAccess access(Secrets secrets, Duration timeout) {
        return new GitHubAccess(instance(), secrets, timeout, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    GitHubInstance instance() {
        return GitHubInstance.of(URI.create(service.url() + "/api/v3/"));
    }

    String pullRequest() {
        return "https://" + instance().authority() + "/org/repo/pull/1";
    }

    ScriptedService service() {
        return service;
    }

    private Answer answer(ReceivedRequest request) throws InterruptedException {
        if (request.target().contains("stall") || request.body().contains("stall")) {
            new CountDownLatch(1).await();
        }
        if (!request.header("Authorization").equals("Bearer " + TOKEN)) {
            return Answer.status(401, "{'message':'Bad credentials'}");
        }
        @Nullable Answer answer = answers.get(request.line());
        return answer != null ? answer : answers.getOrDefault("*", Answer.status(404, "{'message':'Not Found'}"));
    }

    @Override
    public void close() {
        access.close();
        service.close();
    }
}
