package dev.toolgate.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.LlmPolicy;
import dev.toolgate.core.policy.McpServer;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.ArgumentType;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionRuleTest {
    record Arguments(
            @Param(value = "A path", touches = Touch.PATH, defaultValue = ".") @Nullable
            String path,

            @Param(value = "More paths", touches = Touch.PATH) @Nullable
            List<String> others,

            @Param(value = "A URL", touches = Touch.URL) @Nullable
            String url,

            @Param(value = "A command", touches = Touch.COMMAND) @Nullable
            String command,

            @Param("A word") @Nullable String word) {}

    private static final ToolSpec<Arguments> TOOL =
            ToolSpec.of("reach", Arguments.class, Category.EXEC, "Reach", "Touch something");
    private static final Path ROOT = Path.of("/ws");

    // The workspace is /ws, in which "link" is a link to "secret".
    private final SessionRule rule = new SessionRule((_, path) -> {
        Path relative = ROOT.relativize(ROOT.resolve(path).normalize());
        Path real = relative.startsWith("link") ? Path.of("secret") : relative;
        return relative.startsWith("..")
                ? List.of()
                : List.of(
                        new PathResolver.ResolvedPath(relative, List.of(ROOT)),
                        new PathResolver.ResolvedPath(real, List.of(ROOT)));
    });

    @Test
    void a_capability_without_limits_reaches_everywhere() {
        assertThat(decide(CapabilityGrant.named("Reach"), Map.of("path", "x", "url", "http://a", "command", "rm")))
                .isEqualTo(Decision.allow());
    }

    @Test
    void a_missing_capability_is_named() {
        assertThat(denied(CapabilityGrant.named("Other"), Map.of()))
                .isEqualTo("Tool 'reach' needs capability 'Reach', which the session does not have");
    }

    @Test
    void a_tool_that_is_not_listed_is_refused_and_one_that_is_runs() {
        assertThat(denied(tools("other"), Map.of()))
                .isEqualTo("Tool 'reach' is not among the tools that capability 'Reach' allows in this session;"
                        + " it would need 'reach' in allowedTools");
        assertThat(decide(tools("reach"), Map.of())).isEqualTo(Decision.allow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"src", "src/a", "./src/a", "/ws/src/a", "src/x/../a", "secret/../src/a"})
    void an_allowed_path_is_accepted(String path) {
        assertThat(decide(paths(List.of("src"), null), Map.of("path", path))).isEqualTo(Decision.allow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", "src/../secret", "/ws/secret", "srcs", ".", "/etc/passwd", "../x", "link/src"})
    void every_other_path_is_refused(String path) {
        assertThat(denied(paths(List.of("src"), null), Map.of("path", path))).contains("'" + path + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", "src/../secret", "/ws/secret/deep", "link", "link/deep"})
    void a_blocked_path_is_refused_also_behind_dots_and_links(String path) {
        assertThat(denied(paths(null, List.of("secret")), Map.of("path", path)))
                .isEqualTo("'" + path + "' is blocked by the policy's path 'secret'; capability 'Reach' of this session"
                        + " would need it within allowedPaths and outside blockedPaths");
    }

    @Test
    void every_path_in_a_list_is_checked() {
        assertThat(denied(paths(List.of("src"), null), Map.of("path", "src", "others", List.of("src/a", "secret"))))
                .contains("'secret'");
    }

    @Test
    void the_default_of_a_missing_argument_is_checked_too() {
        assertThat(denied(paths(List.of("src"), null), Map.of())).contains("'.'");
    }

    @Test
    void without_a_path_resolver_every_path_is_refused() {
        assertThat(new SessionRule().decide(call(Map.of("path", "src")), TOOL, bundle(paths(List.of("src"), null))))
                .isInstanceOf(Decision.Deny.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://api.example.com/x", "http://API.Example.com.:8080", "https://a.b.example.org"})
    void an_allowed_host_is_accepted(String url) {
        assertThat(decide(domains("api.example.com", "*.example.org"), Map.of("url", url)))
                .isEqualTo(Decision.allow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.com",
                "https://api.example.com@evil.com/",
                "https://evil.com#api.example.com",
                "https://evil.com/?api.example.com",
                "https://evilexample.org",
                "https://example.org",
                "https://api.example.com.evil.com",
                "https://evil.com\\@api.example.com",
                "http://2130706433/",
                "http://[::1]/",
                "api.example.com",
                "mailto:a@api.example.com",
                "",
            })
    void every_other_host_is_refused(String url) {
        assertThat(denied(domains("api.example.com", "*.example.org"), Map.of("url", url)))
                .endsWith("; capability 'Reach' of this session would need that host in allowedDomains");
    }

    @Test
    void a_command_line_is_analysed() {
        CapabilityGrant list = commands(List.of("ls"), null);
        assertThat(decide(list, Map.of("command", "ls | ls"))).isEqualTo(Decision.allow());
        assertThat(denied(list, Map.of("command", "ls | rm x")))
                .isEqualTo("Command 'rm' is not among the commands the policy allows: [ls]; capability 'Reach' of this"
                        + " session would need every command of it in allowedCommands and none in blockedCommands");
        assertThat(denied(commands(null, List.of("rm")), Map.of("command", "ls; rm x")))
                .contains("blocked");
    }

    @Test
    void an_argument_that_touches_nothing_is_not_checked() {
        assertThat(decide(commands(List.of(), null), Map.of("word", "rm -rf /")))
                .isEqualTo(Decision.allow());
    }

    @Test
    void a_tool_that_does_not_declare_what_it_touches_is_refused_under_limits() {
        ToolSpec<?> foreign = ToolSpec.of(
                "foreign", ArgumentType.json(Json.MAPPER.createObjectNode()), Category.MCP, "Reach", "Anything");
        for (CapabilityGrant limited : List.of(
                paths(List.of("src"), null),
                paths(null, List.of("src")),
                domains("a"),
                commands(List.of("ls"), null),
                commands(null, List.of("rm")))) {
            assertThat(rule.decide(call(Map.of()), foreign, bundle(limited))).isInstanceOf(Decision.Deny.class);
        }
        assertThat(rule.decide(call(Map.of()), foreign, bundle(CapabilityGrant.named("Reach"))))
                .isEqualTo(Decision.allow());
    }

    @Test
    void an_approval_is_asked_for_only_within_the_limits() {
        CapabilityGrant asking =
                new CapabilityGrant("Reach", List.of("src"), null, null, null, null, null, null, null, true, "r1");
        assertThat(decide(asking, Map.of("path", "src"))).isInstanceOf(Decision.NeedsApproval.class);
        assertThat(decide(asking, Map.of("path", "secret"))).isInstanceOf(Decision.Deny.class);
    }

    private String denied(CapabilityGrant capability, Map<String, ?> arguments) {
        Decision.Deny deny = (Decision.Deny) decide(capability, arguments);
        assertThat(deny.code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
        return deny.reason();
    }

    @Test
    void an_mcp_tool_needs_a_session_that_names_it_or_its_server() {
        ToolSpec<?> page = ToolSpec.of(
                "wiki/page", ArgumentType.json(Json.MAPPER.createObjectNode()), Category.MCP, "Reach", "A page");
        CapabilityGrant any = CapabilityGrant.named("Reach");

        assertThat(allows(page, any)).isFalse();
        assertThat(allows(page, any, new McpServer("other", "https://wiki", null, null)))
                .isFalse();
        assertThat(allows(page, any, new McpServer("wiki", "https://wiki", null, List.of("other"))))
                .isFalse();
        assertThat(allows(page, any, new McpServer("wiki", "https://wiki", null, null)))
                .isTrue();
        assertThat(allows(page, any, new McpServer("wiki", "https://wiki", null, List.of("page"))))
                .isTrue();
        assertThat(allows(page, any.forTools(List.of("wiki/page")))).isTrue();
        assertThat(allows(page, any.forTools(List.of("x")), new McpServer("wiki", "https://wiki", null, null)))
                .as("the capability is a limit of its own")
                .isFalse();
    }

    private boolean allows(ToolSpec<?> tool, CapabilityGrant capability, McpServer... servers) {
        PolicyBundle bundle = new PolicyBundle(
                "1",
                PolicyBundle.SCHEMA_VERSION,
                new TenantId("default"),
                "ada",
                new SessionId("s"),
                Instant.MAX,
                List.of(capability),
                LlmPolicy.NONE,
                List.of(),
                List.of(servers));
        boolean allowed = rule.decide(call(Map.of()), tool, bundle).equals(Decision.allow());
        assertThat(bundle.covers(tool)).isEqualTo(allowed);
        if (servers.length == 0 && capability.allowedTools() == null) {
            assertThat(rule.prospect(call(Map.of()), tool, bundle)).isEqualTo(Prospect.DENIED);
        }
        return allowed;
    }

    private Decision decide(CapabilityGrant capability, Map<String, ?> arguments) {
        return rule.decide(call(arguments), TOOL, bundle(capability));
    }

    private static Call call(Map<String, ?> arguments) {
        return Call.of(Caller.local(), "reach", Json.MAPPER.valueToTree(arguments));
    }

    private static PolicyBundle bundle(CapabilityGrant capability) {
        return PolicyBundle.of(
                "1", "1.0", new TenantId("t"), "u", new SessionId("s"), Instant.MAX, List.of(capability));
    }

    private static CapabilityGrant paths(@Nullable List<String> allowed, @Nullable List<String> blocked) {
        return new CapabilityGrant("Reach", allowed, blocked, null, null, null, null, null, null, false, null);
    }

    private static CapabilityGrant domains(String... allowed) {
        return new CapabilityGrant("Reach", null, null, null, null, List.of(allowed), null, null, null, false, null);
    }

    private static CapabilityGrant tools(String... allowed) {
        return new CapabilityGrant("Reach", null, null, null, null, null, List.of(allowed), null, null, false, null);
    }

    private static CapabilityGrant commands(@Nullable List<String> allowed, @Nullable List<String> blocked) {
        return new CapabilityGrant("Reach", null, null, allowed, blocked, null, null, null, null, false, null);
    }
}
