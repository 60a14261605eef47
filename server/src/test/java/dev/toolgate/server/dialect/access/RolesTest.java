package dev.toolgate.server.dialect.access;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Method;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Role;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RolesTest {
    private static final String READERS = "admin operator auditor orchestrator";
    private static final String CHANGERS = "admin operator";
    private static final String COLLECTORS = "admin operator orchestrator agent";
    private static final String ADMINS = "admin";
    private static final String EVERYBODY = "admin operator auditor orchestrator agent";

    private static final String USERS_OF_TOOLS = "admin orchestrator agent";
    private static final String ALL_BUT_AUDITORS = "admin operator orchestrator agent";

    private static final Map<String, String> WHO_MAY = Map.ofEntries(
            Map.entry("POST /workspaces/{workspace_id}/artifacts", ALL_BUT_AUDITORS),
            Map.entry("GET /workspaces/{workspace_id}/artifacts", EVERYBODY),
            Map.entry("GET /workspaces/{workspace_id}/artifacts/{artifact_id}", ALL_BUT_AUDITORS),
            Map.entry("DELETE /workspaces/{workspace_id}/artifacts/{artifact_id}", ALL_BUT_AUDITORS),
            Map.entry("GET /api/v1/approvals", EVERYBODY),
            Map.entry("GET /api/v1/approvals/{approval_id}", EVERYBODY),
            Map.entry("POST /api/v1/approvals/{approval_id}", CHANGERS),
            Map.entry("GET /api/v1/approvals/standing", READERS),
            Map.entry("DELETE /api/v1/approvals/standing/{standing_id}", CHANGERS),
            Map.entry("GET /api/v1/calls/{request_id}", COLLECTORS),
            Map.entry("GET /api/v1/agents", READERS),
            Map.entry("POST /api/v1/agents", CHANGERS),
            Map.entry("GET /api/v1/agents/{agent_id}", READERS),
            Map.entry("PATCH /api/v1/agents/{agent_id}", CHANGERS),
            Map.entry("DELETE /api/v1/agents/{agent_id}", CHANGERS),
            Map.entry("POST /api/v1/agents/{agent_id}/template", CHANGERS),
            Map.entry("GET /api/v1/permissions", READERS),
            Map.entry("GET /api/v1/permissions/{agent_id}", READERS),
            Map.entry("PUT /api/v1/permissions/{agent_id}/{tool_name}", CHANGERS),
            Map.entry("DELETE /api/v1/permissions/{agent_id}/{tool_name}", CHANGERS),
            Map.entry("POST /api/v1/permissions/bulk", CHANGERS),
            Map.entry("GET /api/v1/permissions/changes", READERS),
            Map.entry("GET /api/v1/templates", READERS),
            Map.entry("GET /api/v1/groups", READERS),
            Map.entry("POST /api/v1/groups", CHANGERS),
            Map.entry("GET /api/v1/groups/{group_id}", READERS),
            Map.entry("PATCH /api/v1/groups/{group_id}", CHANGERS),
            Map.entry("DELETE /api/v1/groups/{group_id}", CHANGERS),
            Map.entry("PUT /api/v1/groups/{group_id}/members/{agent_id}", CHANGERS),
            Map.entry("DELETE /api/v1/groups/{group_id}/members/{agent_id}", CHANGERS),
            Map.entry("PUT /api/v1/groups/{group_id}/permissions/{tool_name}", CHANGERS),
            Map.entry("DELETE /api/v1/groups/{group_id}/permissions/{tool_name}", CHANGERS),
            Map.entry("GET /api/v1/keys", ADMINS),
            Map.entry("POST /api/v1/keys", ADMINS),
            Map.entry("GET /api/v1/keys/{key_id}", ADMINS),
            Map.entry("DELETE /api/v1/keys/{key_id}", ADMINS),
            Map.entry("GET /api/v1/tenants", ADMINS),
            Map.entry("POST /api/v1/tenants", ADMINS),
            Map.entry("POST /api/v1/console/session", EVERYBODY),
            Map.entry("GET /api/v1/console/session", EVERYBODY),
            Map.entry("DELETE /api/v1/console/session", EVERYBODY),
            Map.entry("GET /api/v1/sessions", EVERYBODY),
            Map.entry("POST /api/v1/sessions", "admin operator orchestrator"),
            Map.entry("GET /api/v1/sessions/{session_id}", EVERYBODY),
            Map.entry("GET /api/v1/sessions/{session_id}/changes", EVERYBODY),
            Map.entry("DELETE /api/v1/sessions/{session_id}", "admin operator orchestrator agent"),
            Map.entry("GET /api/v1/whoami", EVERYBODY),
            Map.entry("GET /api/v1/providers", USERS_OF_TOOLS),
            Map.entry("GET /api/v1/providers/{provider}/models", USERS_OF_TOOLS),
            Map.entry("POST /api/v1/providers/{provider}/credentials", USERS_OF_TOOLS),
            Map.entry("GET /api/v1/tools", EVERYBODY),
            Map.entry("GET /api/v1/tools/permissions/{agent_id}", READERS));

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void every_route_says_who_may_use_it() {
        assertThat(AdministrationPaths.of(server).stream().map(AdministrationPaths::name))
                .containsExactlyInAnyOrderElementsOf(WHO_MAY.keySet());
    }

    @Test
    void every_role_may_use_its_routes_and_no_others() {
        for (Route route : AdministrationPaths.of(server)) {
            String may = WHO_MAY.get(AdministrationPaths.name(route));
            assertThat(Arrays.stream(Role.values())
                            .filter(role -> !isForbidden(route, role))
                            .map(Role::wireName)
                            .collect(Collectors.joining(" ")))
                    .as(AdministrationPaths.name(route))
                    .isEqualTo(may);
        }
    }

    private static boolean isForbidden(Route route, Role role) {
        Reply reply = server.as(FIRST, role).send(route.method().name(), nowhere(route), body(route));
        assertThat(reply.status())
                .as("%s %s: %s", role, route.path(), reply)
                .isNotEqualTo(401)
                .isLessThan(500);
        if (reply.status() == 403) {
            assertThat(reply.errorCode()).isEqualTo("PERMISSION_DENIED");
        }
        return reply.status() == 403;
    }

    @Test
    void somebody_who_shows_nothing_is_turned_away_from_all_that_is_not_open() {
        for (Route route : AdministrationPaths.of(server)) {
            Reply reply = server.anonymous().send(route.method().name(), nowhere(route), body(route));
            if (route.access() instanceof Access.Open) {
                assertThat(route.path().text()).isEqualTo("/api/v1/console/session");
            } else {
                assertThat(reply.status()).as(AdministrationPaths.name(route)).isEqualTo(401);
                assertThat(reply.errorCode()).isEqualTo("UNAUTHORIZED");
                assertThat(reply.header("WWW-Authenticate")).contains("Bearer");
            }
        }
    }

    @Test
    void only_admins_of_the_first_tenant_manage_tenants() {
        String tenant = "{\"tenant_id\": \"mine\", \"name\": \"Mine\"}";

        assertThat(server.as(ACME, Role.ADMIN).get("/api/v1/tenants").status()).isEqualTo(403);
        assertThat(server.as(ACME, Role.ADMIN).post("/api/v1/tenants", tenant).status())
                .isEqualTo(403);
        assertThat(server.admin().get("/api/v1/tenants").each("tenant_id")).doesNotContain("mine");
    }

    @Test
    void an_agent_sees_its_own_tools_and_not_those_of_another() {
        assertThat(server.as(FIRST, Role.AGENT)
                        .get("/api/v1/tools/permissions/agent_1")
                        .status())
                .isEqualTo(200);
        assertThat(server.as(FIRST, Role.AGENT)
                        .get("/api/v1/tools/permissions/agent_2")
                        .status())
                .isEqualTo(403);
    }

    // Nothing there, so that nothing changes whoever asks.
    private static String nowhere(Route route) {
        return AdministrationPaths.path(
                route,
                Map.ofEntries(
                        Map.entry("agent_id", "nobody"),
                        Map.entry("group_id", "nowhere"),
                        Map.entry("session_id", "never"),
                        Map.entry("tool_name", "nothing"),
                        Map.entry("workspace_id", "nowhere"),
                        Map.entry("artifact_id", "art_00000000-0000-0000-0000-000000000000"),
                        Map.entry("approval_id", "00000000-0000-0000-0000-000000000000"),
                        Map.entry("standing_id", "00000000-0000-0000-0000-000000000000"),
                        Map.entry("request_id", "nothing"),
                        Map.entry("key_id", "00000000-0000-0000-0000-000000000000"),
                        Map.entry("provider", "nobody")));
    }

    private static @Nullable String body(Route route) {
        return route.method() == Method.GET || route.method() == Method.DELETE ? null : "{}";
    }
}
