package dev.toolgate.tools.github;

import static dev.toolgate.tools.Calls.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.tools.Calls;
import dev.toolgate.tools.ScriptedService;
import dev.toolgate.tools.ScriptedService.Answer;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GitHubFailuresTest {
    private FakeGitHub gitHub;

    @BeforeEach
    void start() throws IOException {
        gitHub = new FakeGitHub();
    }

    @AfterEach
    void stop() {
        gitHub.close();
    }

    @Test
    void the_primary_rate_limit_reports_its_end_without_retry() {
        gitHub.always(Answer.status(403, "{'message':'API rate limit exceeded for user ID 1.'}")
                .with("x-ratelimit-remaining", "0")
                .with("x-ratelimit-reset", String.valueOf(FakeGitHub.NOW.getEpochSecond() + 1234)));

        Failure failure = failure(details(), arguments());

        assertThat(failure.code()).isEqualTo(ErrorCode.RATE_LIMITED);
        assertThat(failure.facts()).containsEntry("retryAfterSeconds", 1234L);
        assertThat(failure.message()).contains("2026-01-01T00:20:34Z");
        assertThat(gitHub.service().requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"403,30,30", "429,30,30", "403,'',60", "429,'',60"})
    void the_secondary_rate_limit_reports_its_end_without_retry(int status, String retryAfter, long seconds) {
        Answer answer = Answer.status(status, "{'message':'You have exceeded a secondary rate limit.'}");
        gitHub.always(retryAfter.isEmpty() ? answer : answer.with("Retry-After", retryAfter));

        Failure failure = failure(details(), arguments());

        assertThat(failure.code()).isEqualTo(ErrorCode.RATE_LIMITED);
        assertThat(failure.facts()).containsEntry("retryAfterSeconds", seconds);
        assertThat(gitHub.service().requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "401,does not accept the token",
        "403,does not permit this: Because of this",
        "404,no such resource",
        "405,does not allow this now: Because of this",
        "409,conflicts with the current state: Because of this",
        "422,rejected the request: Because of this; and that",
        "500,status 500",
        "503,status 503"
    })
    void every_error_status_is_explained_after_one_attempt(int status, String words) {
        gitHub.always(Answer.status(status, "{'message':'Because of this','errors':[{'message':'and that'}]}"));

        Failure failure = failure(new GitHubCreateRepoTool(gitHub.access()), "{'name':'repo'}");

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
        assertThat(failure.message()).contains(words).doesNotContain(FakeGitHub.TOKEN);
        assertThat(failure.details()).containsEntry("status", status);
        assertThat(gitHub.service().requests()).hasSize(1);
    }

    @Test
    void without_a_token_it_names_the_setting_and_sends_nothing() throws Exception {
        Failure failure = failure(details(), arguments(), Calls.caller("other", "alice"), Bounds.none());

        assertThat(failure.message()).contains("GITHUB_TOKEN");
        assertThat(gitHub.service().requests()).isEmpty();
    }

    @Test
    void a_token_that_could_inject_headers_is_refused() {
        Secrets odd = (_, _) -> Optional.of("abc\r\nX-Evil: 1");
        try (GitHubAccess access = gitHub.access(odd, Duration.ofSeconds(5))) {
            assertThat(failure(new GitHubGetPrDetailsTool(access), arguments()).message())
                    .contains("GITHUB_TOKEN")
                    .doesNotContain("Evil");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://HOST/org/repo/pull/1",
                "https://evil.example/org/repo/pull/1",
                "https://HOST@evil.example/org/repo/pull/1",
                "https://user@HOST/org/repo/pull/1",
                "https://HOST:444/org/repo/pull/1",
                "https://HOST.evil.example/org/repo/pull/1",
                "https://evil.example\\@HOST/org/repo/pull/1",
                "https://evil.example#@HOST/org/repo/pull/1",
                "https://HOST./org/repo/pull/1",
                "https://api.HOST/org/repo/pull/1",
                "//HOST/org/repo/pull/1",
                "https:HOST/org/repo/pull/1",
                "https://HOST/org/../pull/1",
                "https://HOST/org/../other/repo/pull/1",
                "https://HOST/org/%2e%2e/pull/1",
                "https://HOST/org/repo%2f..%2fother/pull/1",
                "https://HOST/org/repo/pull/0",
                "https://HOST/org/repo/pull/99999999999",
                "https://HOST/org/repo/pull/1/../../issues/2",
                "https://HOST/org/repo/issues/1",
                "https://github.com.evil.example/org/repo/pull/1",
                "not a url"
            })
    void only_urls_of_the_configured_instance_are_accepted(String url) {
        String host = gitHub.instance().authority();
        Failure failure =
                failure(details(), "{'pr_url':'" + url.replace("HOST", host).replace("\\", "\\\\") + "'}");

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure.message()).startsWith("Field 'pr_url' must");
        assertThat(gitHub.service().requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"repo", "org/repo/more", "../repo", "org/..", "org/re po", "org/repo?x", ""})
    void only_valid_repository_names_are_accepted(String name) {
        Failure failure = failure(
                new GitHubCreateFileTool(gitHub.access()),
                "{'repo_name':'" + (name.isEmpty() ? " " : name) + "','path':'a','content':'','commit_message':'m'}");
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(gitHub.service().requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "a/../../b", "a//b", "./a", "a/"})
    void only_paths_in_the_repository_are_accepted(String path) {
        Failure failure = failure(
                new GitHubCreateFileTool(gitHub.access()),
                "{'repo_name':'org/repo','path':'" + path + "','content':'','commit_message':'m'}");
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(gitHub.service().requests()).isEmpty();
    }

    @Test
    void a_redirect_to_another_host_never_gets_the_token() throws Exception {
        try (ScriptedService thief = ScriptedService.start(_ -> Answer.json("{}"))) {
            gitHub.on(
                    "GET /api/v3/repos/org/repo",
                    Answer.status(301, "{}").with("Location", thief.url() + "/repos/org/repo"));
            assertThat(failure(details(), arguments()).message()).contains("301");
            assertThat(thief.requests()).isEmpty();
        }
    }

    @Test
    void the_next_page_on_another_host_is_not_fetched() throws Exception {
        try (ScriptedService thief = ScriptedService.start(_ -> Answer.json("[]"))) {
            gitHub.on(
                    "GET /api/v3/repos/org/repo/pulls/1/files?per_page=100",
                    Answer.json("[{'filename':'a.ts'}]").with("Link", "<" + thief.url() + "/next>; rel=\"next\""));
            assertThat(failure(details(), arguments()).message()).contains("another host");
            assertThat(thief.requests()).isEmpty();
        }
    }

    @Test
    void a_repository_that_was_renamed_is_followed() throws Exception {
        gitHub.on(
                "GET /api/v3/repos/org/repo",
                Answer.status(301, "{}").with("Location", gitHub.instance().apiUrl() + "/repositories/1"));
        gitHub.on(
                "GET /api/v3/repositories/1",
                Answer.json("{'id':1,'name':'repo','full_name':'org/repo','owner':{'login':'org'}}"));
        assertThat(Calls.call(details(), arguments()).text()).contains("PR title");
    }

    @Test
    void a_malformed_response_is_reported() {
        gitHub.always(Answer.html("<html>"));
        assertThat(failure(details(), arguments()).message()).contains("was not understood");
    }

    @Test
    void it_times_out() throws Exception {
        try (ScriptedService silent = ScriptedService.silent();
                GitHubAccess access = new GitHubAccess(
                        GitHubInstance.of(silent.url()),
                        FakeGitHub.SECRETS,
                        Duration.ofMillis(200),
                        Clock.systemUTC())) {
            assertThat(failure(new GitHubCreateRepoTool(access), "{'name':'repo'}")
                            .code())
                    .isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
            assertThat(silent.requests()).hasSize(1);
        }
    }

    @Test
    void an_interrupt_ends_the_call() throws Exception {
        try (ScriptedService silent = ScriptedService.silent();
                GitHubAccess access = new GitHubAccess(
                        GitHubInstance.of(silent.url()),
                        FakeGitHub.SECRETS,
                        Duration.ofMinutes(1),
                        Clock.systemUTC())) {
            Calls.Interruptible running = Calls.start(new GitHubCreateRepoTool(access), "{'name':'repo'}");
            await().until(() -> !silent.requests().isEmpty());

            running.thread().interrupt();

            assertThat(running.thrown().get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void a_token_is_never_sent_unencrypted() {
        assertThatThrownBy(() -> GitHubInstance.of(URI.create("http://github.example.com/api/v3")))
                .hasMessageContaining("https");
        assertThat(GitHubInstance.of(URI.create("https://api.github.com")).authority())
                .isEqualTo("github.com");
        assertThat(GitHubInstance.of(URI.create("https://api.acme.ghe.com/")).authority())
                .isEqualTo("acme.ghe.com");
        assertThat(GitHubInstance.of(URI.create("https://git.example.com:8443/api/v3"))
                        .authority())
                .isEqualTo("git.example.com:8443");
    }

    private GitHubGetPrDetailsTool details() {
        return new GitHubGetPrDetailsTool(gitHub.access());
    }

    private String arguments() {
        return "{'pr_url':'" + gitHub.pullRequest() + "'}";
    }
}
