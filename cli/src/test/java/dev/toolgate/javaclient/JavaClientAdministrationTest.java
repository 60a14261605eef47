package dev.toolgate.javaclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.client.AuthenticationException;
import dev.toolgate.client.Call;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.ToolgateException;
import dev.toolgate.client.model.Agent;
import dev.toolgate.client.model.ApprovalAnswer;
import dev.toolgate.client.model.Artifact;
import dev.toolgate.client.model.AuditQuery;
import dev.toolgate.client.model.AuditRecord;
import dev.toolgate.client.model.EffectivePermission;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.model.Grant;
import dev.toolgate.client.model.KeyInfo;
import dev.toolgate.client.model.MadeKey;
import dev.toolgate.client.model.NewAgent;
import dev.toolgate.client.model.NewKey;
import dev.toolgate.client.model.Permission;
import dev.toolgate.client.model.PermissionChange;
import dev.toolgate.client.model.Session;
import dev.toolgate.client.model.StandingApproval;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Administration with the Java client, against a real server. */
@Timeout(240)
class JavaClientAdministrationTest {
    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static RunningServer server;
    private static Toolgate admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        admin = client(server.key(RunningServer.FIRST, Role.ADMIN, null));
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static Toolgate client(String key) {
        return Toolgate.builder().url(server.url()).key(key).agent("managed").build();
    }

    @Test
    void agents_are_created_changed_listed_and_removed() {
        admin.agents()
                .create(NewAgent.of("new/one")
                        .named("New")
                        .describedAs("For tests")
                        .because("test"));
        assertThat(admin.agents().get("new/one").name()).isEqualTo("New");
        assertThat(admin.agents().update("new/one", Map.of("name", "Renamed")).name())
                .isEqualTo("Renamed");
        assertThat(admin.agents().applyTemplate("new/one", "reviewer")).contains("file_read");
        assertThat(admin.agents().list()).extracting(Agent::agentId).contains("new/one");

        admin.agents().delete("new/one", "done");

        assertThatThrownBy(() -> admin.agents().get("new/one")).isInstanceOf(ToolgateException.class);
    }

    @Test
    void all_pages_of_a_list_are_read() {
        IntStream.range(0, 5).forEach(i -> admin.permissions().allow("paged", "paged_tool_" + i));

        assertThat(admin.permissions().changes("paged").filter(change -> !change.toolName()
                        .equals("*")))
                .extracting(PermissionChange::toolName)
                .containsExactly("paged_tool_4", "paged_tool_3", "paged_tool_2", "paged_tool_1", "paged_tool_0");
        assertThat(admin.audit()
                        .list(AuditQuery.all()
                                .with("kind", "administration")
                                .pageSize(2)
                                .containing("paged_tool_")))
                .hasSize(5);
    }

    @Test
    void permissions_with_terms_are_set_refused_and_cleared() {
        Instant end = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
        Permission set = admin.permissions()
                .allow(
                        "termed",
                        "file_read",
                        Grant.allowed().until(end).forCalls(3).notes("test").because("test"));
        assertThat(set.expiresAt()).isEqualTo(end);
        assertThat(set.maxUses()).isEqualTo(3);

        assertThat(admin.permissions().refuse("termed", "bash", "not its task").allowed())
                .isFalse();
        assertThat(admin.permissions().of("termed"))
                .extracting(EffectivePermission::toolName)
                .containsExactlyInAnyOrder("bash", "file_read");
        admin.permissions().clear("termed", "bash", "test");
        assertThat(admin.permissions().of("termed")).hasSize(1);
        assertThat(admin.permissions().templates()).isNotEmpty();
    }

    @Test
    void the_permissions_of_an_agent_with_the_name_of_a_path_are_read() {
        admin.permissions().allow("matrix", "file_read");
        assertThat(admin.permissions().of("matrix"))
                .extracting(EffectivePermission::toolName)
                .containsExactly("file_read");
    }

    @Test
    void a_key_is_created_rotated_and_revoked() {
        admin.agents().create("managed");
        MadeKey first =
                admin.keys().create(NewKey.forAgent("managed").named("Laptop").expiringIn("1d"));
        assertThat(client(first.key()).tools()).isEmpty();
        MadeKey second = admin.keys().rotate(first.info().keyId(), "1h");
        assertThat(second.info().rotatedFrom()).isEqualTo(first.info().keyId());
        assertThat(admin.keys().list())
                .extracting(KeyInfo::keyId)
                .contains(first.info().keyId(), second.info().keyId());

        admin.keys().revoke(first.info().keyId(), "lost");

        assertThat(admin.keys().get(first.info().keyId()).state()).isEqualTo("revoked");
        assertThatThrownBy(() -> client(first.key()).tools())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageNotContaining(first.key());
        assertThat(client(second.key()).tools()).isEmpty();
    }

    @Test
    void a_session_is_started_used_and_ended() {
        admin.permissions().allow("sitting", "file_list");
        Session session = admin.sessions()
                .start(
                        "sitting",
                        Map.of(
                                "policyBundleVersion",
                                "2026-01-10",
                                "schemaVersion",
                                "1.0",
                                "tenantId",
                                "default",
                                "userId",
                                "ada",
                                "sessionId",
                                "sess_java",
                                "expiresAt",
                                "2099-01-01T00:00:00Z",
                                "capabilities",
                                List.of(Map.of("name", "File.Read"))));
        Call call = Call.of("file_list").with("path", ".").as("sitting").inSession(session.sessionId());
        assertThat(admin.execute(call).success()).isTrue();
        assertThat(admin.sessions().list("sitting"))
                .extracting(Session::sessionId)
                .containsExactly("sess_java");

        admin.sessions().end("sess_java", "test");

        assertThat(admin.sessions().get("sess_java").status()).isEqualTo("ended");
        assertThatThrownBy(() -> admin.execute(call)).isInstanceOf(ToolgateException.class);
    }

    @Test
    void an_artifact_is_downloaded_unchanged() throws IOException {
        byte[] content = new byte[300_000];
        IntStream.range(0, content.length).forEach(i -> content[i] = (byte) (i * 31));
        Path file = Files.write(folder.resolve("a report.bin"), content);

        Artifact stored = admin.artifacts().upload("default", "application/octet-stream", file);
        assertThat(stored.name()).isEqualTo("a report.bin");
        Path copy = folder.resolve("copy.bin");
        admin.artifacts().download("default", stored.id(), copy);

        assertThat(copy).hasBinaryContent(content);
        try (InputStream read = admin.artifacts().read("default", stored.id())) {
            assertThat(read.readAllBytes()).isEqualTo(content);
        }
        assertThat(admin.artifacts().list("default")).extracting(Artifact::id).contains(stored.id());
        admin.artifacts().delete("default", stored.id());
        assertThatThrownBy(() -> admin.artifacts().download("default", stored.id(), folder.resolve("none")))
                .isInstanceOf(ToolgateException.class);
        assertThat(folder.toFile().list()).hasSize(2);
    }

    @Test
    void audit_records_are_streamed_and_can_be_read_by_id() {
        admin.permissions().allow("streamed", "file_list");
        try (Stream<AuditRecord> records = admin.audit().stream(AuditQuery.all().agent("streamed"))) {
            String id = admin.execute(Call.of("file_list").with("path", ".").as("streamed"))
                    .requestId();

            AuditRecord record = records.findFirst().orElseThrow();

            assertThat(record.requestId()).isEqualTo(id);
            assertThat(admin.audit().get(record.id()).more()).containsKey("hash");
        }
    }

    @Test
    void a_standing_approval_is_given_and_revoked() {
        admin.permissions().allow("standing", "file_list", Grant.allowed().withApproval());
        Call call = Call.of("file_list").with("path", ".").as("standing");
        admin.submit(call.withId("stands"));
        String asked = admin.approvals()
                .list()
                .filter(approval -> approval.requestId().equals("stands"))
                .findFirst()
                .orElseThrow()
                .approvalId();
        admin.approvals()
                .answer(
                        asked,
                        ApprovalAnswer.approve()
                                .forAgent()
                                .until(Instant.now().plus(1, ChronoUnit.HOURS))
                                .because("trusted"));
        assertThat(admin.execute(call).success()).as("without another approval").isTrue();

        StandingApproval standing = admin.approvals().standing().findFirst().orElseThrow();
        admin.approvals().revokeStanding(standing.standingId(), "no more");

        assertThat(admin.approvals().standing()).isEmpty();
    }

    @Test
    void external_tools_are_registered_and_removed() {
        ExternalTool tool = ExternalTool.of("ship", "Ships.", Map.of("type", "object"))
                .withCapability("Ship.Run")
                .asSafe();
        assertThat(admin.externalTools().register(tool)).isEqualTo(tool);
        assertThat(admin.externalTools().list()).contains(tool);
        admin.externalTools().remove("ship", "test");
        assertThat(admin.externalTools().list()).isEmpty();
    }
}
