package dev.toolgate.tools.github;

import static dev.toolgate.tools.Calls.call;
import static dev.toolgate.tools.Calls.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.tools.Calls;
import dev.toolgate.tools.ScriptedService.ReceivedRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class GitHubToolsTest {
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
    void a_repository_is_created() throws Exception {
        assertThat(json(call(
                        new GitHubCreateRepoTool(gitHub.access()),
                        "{'name':'repo','description':'demo','is_private':false}")))
                .isEqualTo("{\"repo_url\":\"https://github.com/org/repo\"}");
        assertThat(lines()).containsExactly("POST /api/v3/user/repos");
        assertThat(sent(0).path("name").asString()).isEqualTo("repo");
        assertThat(sent(0).path("description").asString()).isEqualTo("demo");
        assertThat(sent(0).path("private").asBoolean()).isFalse();
    }

    @Test
    void a_repository_is_private_by_default() throws Exception {
        call(new GitHubCreateRepoTool(gitHub.access()), "{'name':'repo'}");
        assertThat(sent(0).path("private").asBoolean()).isTrue();
    }

    @Test
    void a_pull_request_is_read_with_all_its_files() throws Exception {
        assertThat(json(call(new GitHubGetPrDetailsTool(gitHub.access()), "{'pr_url':'" + gitHub.pullRequest() + "'}")))
                .isEqualTo("{\"title\":\"PR title\",\"body\":\"What it is about\","
                        + "\"files\":[\"a.ts\",\"b/c.ts\",\"d.ts\"]}");
    }

    @Test
    void a_comment_is_posted() throws Exception {
        assertThat(json(call(
                        new GitHubPostPrCommentTool(gitHub.access()),
                        "{'pr_url':'" + gitHub.pullRequest() + "','comment':'Looks good'}")))
                .isEqualTo("{\"message\":\"Comment posted\"}");
        assertThat(lines().getLast()).isEqualTo("POST /api/v3/repos/org/repo/issues/1/comments");
        assertThat(sent(lines().size() - 1).path("body").asString()).isEqualTo("Looks good");
    }

    @ParameterizedTest
    @ValueSource(strings = {"merge", "squash", "rebase"})
    void a_pull_request_is_merged_at_its_current_head(String method) throws Exception {
        assertThat(json(call(
                        new GitHubMergePrTool(gitHub.access()),
                        "{'pr_url':'" + gitHub.pullRequest() + "','method':'" + method + "'}")))
                .isEqualTo("{\"message\":\"PR merged\"}");
        assertThat(lines().getLast()).isEqualTo("PUT /api/v3/repos/org/repo/pulls/1/merge");
        JsonNode sent = sent(lines().size() - 1);
        assertThat(sent.path("merge_method").asString()).isEqualTo(method);
        assertThat(sent.path("sha").asString()).isEqualTo("abc123");
    }

    @Test
    void unknown_merge_methods_are_refused_before_sending() {
        assertThat(new GitHubMergePrTool(gitHub.access())
                        .spec()
                        .arguments()
                        .validate(Json.MAPPER
                                .createObjectNode()
                                .put("pr_url", gitHub.pullRequest())
                                .put("method", "force")))
                .get()
                .asString()
                .contains("method");
    }

    @Test
    void a_file_is_committed() throws Exception {
        assertThat(
                        json(
                                call(
                                        new GitHubCreateFileTool(gitHub.access()),
                                        "{'repo_name':'org/repo','path':'docs/a b#c?.md','content':'# Hällo','commit_message':'Add readme'}")))
                .isEqualTo("{\"commit_sha\":\"abc123def\"}");
        JsonNode sent = sent(lines().size() - 1);
        assertThat(sent.path("message").asString()).isEqualTo("Add readme");
        assertThat(new String(Base64.getDecoder().decode(sent.path("content").asString()), StandardCharsets.UTF_8))
                .isEqualTo("# Hällo");
    }

    @Test
    void the_preview_shows_the_action_and_sends_nothing() throws Exception {
        GitHubMergePrTool merge = new GitHubMergePrTool(gitHub.access());
        assertThat(merge.preview(
                        new GitHubMergePrTool.Arguments(gitHub.pullRequest(), "squash"),
                        Calls.context(merge, Json.MAPPER.createObjectNode(), Calls.ALICE, Bounds.none())))
                .contains("Merge org/repo#1 by squash");
        assertThat(lines()).isEmpty();
    }

    @Test
    void reading_is_safe_and_writing_is_dangerous() {
        for (Tool<?> tool : GitHubTools.all(gitHub.access())) {
            boolean reads = tool.spec().name().equals("github_get_pr_details");
            assertThat(tool.spec().capability()).isEqualTo(reads ? "GitHub.Read" : "GitHub.Write");
            assertThat(tool.spec().danger()).isEqualTo(reads ? Danger.SAFE : Danger.DANGEROUS);
        }
    }

    private List<String> lines() {
        return gitHub.service().requests().stream().map(ReceivedRequest::line).toList();
    }

    private JsonNode sent(int request) {
        return Json.MAPPER.readTree(gitHub.service().requests().get(request).body());
    }
}
