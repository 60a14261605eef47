package dev.toolgate.tools.vault;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import dev.toolgate.core.tool.ToolTrial;
import dev.toolgate.tools.FakeService;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class VaultReadContractTest extends ToolContract {
    private static final String TOKEN = "hvs.planted-vault-token";

    private final FakeService vault = new FakeService();
    private ServerSocket silent;

    @BeforeEach
    void open() throws IOException {
        silent = new ServerSocket(0);
        vault.on("GET /v1/secret/data/shop", 200, "{\"data\": {\"data\": {\"a\": 1}, \"metadata\": {\"version\": 1}}}");
        vault.on("GET /v1/secret/data/closed", 403, "{\"errors\": [\"permission denied\"]}");
        vault.on("GET /v1/secret/data/sealed", 503, "{\"errors\": [\"Vault is sealed\"]}");
    }

    @AfterEach
    void close() throws IOException {
        vault.close();
        silent.close();
    }

    private static Tool<?> at(URI address) {
        return new VaultReadTool(
                tenant -> Optional.of(new VaultServer(address, "VAULT_TOKEN", null, "secret", Duration.ofSeconds(20))),
                (tenant, name) -> Optional.of(TOKEN));
    }

    @Override
    protected Tool<?> tool() {
        return silentNext ? at(URI.create("http://127.0.0.1:" + silent.getLocalPort())) : at(vault.url());
    }

    private boolean silentNext;

    @Override
    protected Map<String, ?> good() {
        return Map.of("path", "shop");
    }

    @Override
    protected List<Trouble> troubles() {
        return List.of(
                new Trouble(
                        "no vault",
                        new VaultReadTool(tenant -> Optional.empty(), (tenant, name) -> Optional.empty()),
                        good(),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "vaults.local.address"),
                new Trouble(
                        "no permission", tool(), Map.of("path", "closed"), ErrorCode.TOOL_EXECUTION_FAILED, "may not"),
                new Trouble("no secret", tool(), Map.of("path", "absent"), ErrorCode.KEY_NOT_FOUND, "absent"),
                new Trouble(
                        "a sealed vault", tool(), Map.of("path", "sealed"), ErrorCode.SERVICE_UNAVAILABLE, "sealed"),
                new Trouble("a path with ..", tool(), Map.of("path", "../sys"), ErrorCode.INVALID_REQUEST, "path"));
    }

    @Override
    protected Optional<Map<String, ?>> endless() {
        silentNext = true;
        return Optional.of(Map.of("path", "shop"));
    }

    @Override
    protected void awaitBegun(ToolTrial trial) throws Exception {
        silent.accept(); // the tool is connected and waits for an answer
    }

    @Override
    protected List<String> secrets() {
        return List.of(TOKEN);
    }
}
