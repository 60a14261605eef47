package dev.toolgate.tools.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Confidentiality;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.tools.FakeService;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class VaultReadToolTest {
    private static final String TOKEN = "hvs.planted-vault-token";
    private static final String FOUND = """
            {"request_id": "1", "data": {"data": {"user": "shop", "password": "planted-value", "port": 5432},
             "metadata": {"version": 3, "destroyed": false, "deletion_time": ""}}}""";

    private final FakeService vault = new FakeService();

    @AfterEach
    void close() {
        vault.close();
    }

    private Output read(
            URI address, String path, @Nullable String key, @Nullable Integer version, @Nullable String mount)
            throws ToolFailure, InterruptedException {
        VaultReadTool tool = new VaultReadTool(
                tenant -> tenant.equals(Caller.local().tenant())
                        ? Optional.of(
                                new VaultServer(address, "VAULT_TOKEN", "team-a", "secret", Duration.ofSeconds(2)))
                        : Optional.empty(),
                (tenant, name) -> name.equals("VAULT_TOKEN") ? Optional.of(TOKEN) : Optional.empty());
        return tool.call(new VaultReadTool.Arguments(path, key, version, mount), context(Caller.local()));
    }

    private Output read(String path) throws ToolFailure, InterruptedException {
        return read(vault.url(), path, null, null, null);
    }

    private static ToolContext context(Caller caller) {
        return new ToolContext(Call.of(caller, "vault_read", Json.MAPPER.createObjectNode()), Bounds.none());
    }

    @Test
    void a_secret_is_read_with_token_and_namespace() throws Exception {
        vault.on("GET /v1/secret/data/team/shop%20db", 200, FOUND);

        Output output = read("team/shop db");

        assertThat(output.text()).isEqualTo("password: planted-value\nport: 5432\nuser: shop");
        assertThat(output.structured())
                .hasToString(
                        "Result[path=team/shop db, version=3, values={password=planted-value, port=5432, user=shop}]");
        assertThat(vault.requests().getFirst().header("X-vault-token")).isEqualTo(TOKEN);
        assertThat(vault.requests().getFirst().header("X-vault-namespace")).isEqualTo("team-a");
    }

    @Test
    void reads_one_key_of_an_earlier_version_on_another_mount() throws Exception {
        vault.on("GET /v1/kv/data/shop?version=2", 200, FOUND);

        assertThat(read(vault.url(), "shop", "password", 2, "kv").text()).isEqualTo("planted-value");
        assertThatThrownBy(() -> read(vault.url(), "shop", "nothing", 2, "kv"))
                .hasMessageContaining("its keys are user, password, port")
                .hasMessageNotContaining("planted");
    }

    @Test
    void the_preview_names_the_mount() {
        VaultReadTool tool = new VaultReadTool(
                _ -> Optional.of(new VaultServer(vault.url(), "T", null, "shop-kv", Duration.ofSeconds(2))),
                (_, _) -> Optional.empty());

        assertThat(tool.preview(new VaultReadTool.Arguments("db", null, null, null), context(Caller.local())))
                .hasValue("Shows every value of the secret 'db' in mount 'shop-kv' to the caller.");
        assertThat(tool.preview(new VaultReadTool.Arguments("db", "user", 2, "root"), context(Caller.local())))
                .hasValue("Shows the value of 'user' of the secret 'db' in mount 'root', version 2 to the caller.");
    }

    @Test
    void the_tool_is_declared_confidential() {
        VaultReadTool tool = new VaultReadTool(tenant -> Optional.empty(), (tenant, name) -> Optional.empty());
        assertThat(tool.spec().confidentiality()).isEqualTo(Confidentiality.CONFIDENTIAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../sys/health",
                "a/../../sys",
                "a//b",
                "/a",
                "a/",
                ".",
                "a/./b",
                "a?list=true",
                "a#b",
                "a%2e%2e/b",
                "a\\b",
                "a\nb",
                "a;b"
            })
    void a_path_cannot_leave_the_mount(String path) {
        assertThatThrownBy(() -> read(path)).isInstanceOfSatisfying(ToolFailure.class, wrong -> assertThat(
                        wrong.failure().code())
                .isEqualTo(ErrorCode.INVALID_REQUEST));
        assertThatThrownBy(() -> read(vault.url(), "shop", null, null, path)).isInstanceOf(ToolFailure.class);
        assertThat(vault.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "403 | {\"errors\":[\"permission denied planted-value\"]} | TOOL_EXECUTION_FAILED | may not read",
                "404 | {\"errors\":[]} | KEY_NOT_FOUND | There is no secret",
                "404 | {\"data\":{\"data\":null,\"metadata\":{\"deletion_time\":\"2026\",\"destroyed\":false}}} | KEY_NOT_FOUND | was deleted",
                "404 | {\"data\":{\"data\":null,\"metadata\":{\"destroyed\":true}}} | KEY_NOT_FOUND | was destroyed",
                "503 | {\"errors\":[\"Vault is sealed\"]} | SERVICE_UNAVAILABLE | sealed",
                "473 | {} | SERVICE_UNAVAILABLE | standby",
                "429 | {} | RATE_LIMITED | try again after",
                "400 | {} | TOOL_EXECUTION_FAILED | malformed",
                "500 | planted-value | TOOL_EXECUTION_FAILED | status 500",
                "200 | <html>planted-value | TOOL_EXECUTION_FAILED | is not JSON",
                "200 | {\"data\":{\"password\":\"planted-value\"}} | TOOL_EXECUTION_FAILED | KV version 2",
            })
    void every_error_status_is_explained_without_the_vaults_message(
            int status, String body, ErrorCode code, String words) {
        vault.on("GET /v1/secret/data/shop", status, body);

        assertThatThrownBy(() -> read("shop"))
                .hasMessageContaining(words)
                .hasMessageNotContaining("planted")
                .isInstanceOfSatisfying(
                        ToolFailure.class,
                        said -> assertThat(said.failure().code()).isEqualTo(code));
    }

    @Test
    void a_redirect_does_not_get_the_token() throws Exception {
        try (FakeService elsewhere = new FakeService()) {
            vault.on("GET /v1/secret/data/shop", 307, "", "Location", elsewhere.url() + "/v1/secret/data/shop");
            assertThatThrownBy(() -> read("shop")).hasMessageContaining("not followed");
            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    @Test
    void a_time_out_and_an_unreachable_vault_are_distinguished() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            assertThatThrownBy(() ->
                            read(URI.create("http://127.0.0.1:" + silent.getLocalPort()), "shop", null, null, null))
                    .hasMessageContaining("did not respond within 2 seconds");
        }
        int closedPort;
        try (ServerSocket free = new ServerSocket(0)) {
            closedPort = free.getLocalPort();
        }
        assertThatThrownBy(() -> read(URI.create("http://127.0.0.1:" + closedPort), "shop", null, null, null))
                .hasMessageContaining("cannot be reached");
    }

    @Test
    void a_missing_vault_or_token_names_the_setting() {
        VaultReadTool nothing = new VaultReadTool(tenant -> Optional.empty(), (tenant, name) -> Optional.empty());
        assertThatThrownBy(() ->
                        nothing.call(new VaultReadTool.Arguments("shop", null, null, null), context(Caller.local())))
                .hasMessageContaining("vaults.local.address");
        VaultReadTool tokenless = new VaultReadTool(
                tenant ->
                        Optional.of(new VaultServer(vault.url(), "VAULT_TOKEN", null, "secret", Duration.ofSeconds(2))),
                (tenant, name) -> Optional.empty());
        assertThatThrownBy(() ->
                        tokenless.call(new VaultReadTool.Arguments("shop", null, null, null), context(Caller.local())))
                .hasMessageContaining("secrets.local.VAULT_TOKEN");
        assertThat(vault.requests()).isEmpty();
    }
}
