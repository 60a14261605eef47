package dev.toolgate.tools.vault;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.tools.NeededSecret;
import dev.toolgate.tools.PathText;
import dev.toolgate.tools.ServiceClient;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** {@code vault_read}: reads a secret of the caller's tenant; it is returned to the caller and not stored. */
public final class VaultReadTool implements Tool<VaultReadTool.Arguments> {
    private static final int MAX_ANSWER_BYTES = 2 * 1024 * 1024;

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "vault_read",
                    Arguments.class,
                    Category.REMOTE,
                    "BackendTool.Invoke",
                    "Read a secret from the vault (HashiCorp Vault or OpenBao, KV version 2)")
            .dangerous()
            .confidential()
            .returning(Result.class)
            .alsoKnownAs(Alias.runtime("VaultRead"));

    private final VaultServers vaults;
    private final Secrets secrets;

    public VaultReadTool(VaultServers vaults, Secrets secrets) {
        this.vaults = vaults;
        this.secrets = secrets;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The path of the secret, for example team/database", minLength = 1)
            String path,

            @Param(value = "Only this key of the secret", minLength = 1) @Nullable
            String key,

            @Param(value = "An earlier version; the newest if not given", min = 1) @Nullable
            Integer version,

            @Param(value = "The mount of the KV engine, if not the configured one", minLength = 1) @Nullable
            String mount) {}

    /** The result. */
    public record Result(String path, int version, Map<String, Object> values) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        TenantId tenant = context.call().caller().tenant();
        VaultServer vault = vaults.of(tenant)
                .orElseThrow(() -> new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "No vault is configured; set vaults." + tenant + ".address in toolgate.yaml"));
        HttpRequest.Builder request = HttpRequest.newBuilder(address(vault, arguments))
                .header("X-Vault-Request", "true")
                .header("X-Vault-Token", new NeededSecret(tenant, vault.tokenName()).from(secrets));
        if (vault.namespace() != null) {
            request.header("X-Vault-Namespace", vault.namespace());
        }
        ServiceClient.Reply reply = new ServiceClient("vault", vault.timeout()).send(request.build(), MAX_ANSWER_BYTES);
        return output(VaultReply.read(reply, arguments.path()), arguments);
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) {
        String mount = Optional.ofNullable(arguments.mount())
                .or(() -> vaults.of(context.call().caller().tenant()).map(VaultServer::mount))
                .map(name -> "mount '" + VisibleText.line(name) + "'")
                .orElse("no configured mount");
        return Optional.of("Shows "
                + (arguments.key() == null ? "every value" : "the value of '" + VisibleText.line(arguments.key()) + "'")
                + " of the secret '" + VisibleText.line(arguments.path()) + "' in " + mount
                + (arguments.version() == null ? "" : ", version " + arguments.version()) + " to the caller.");
    }

    private static URI address(VaultServer vault, Arguments arguments) throws ToolFailure {
        String mount = arguments.mount() == null ? vault.mount() : arguments.mount();
        String query = arguments.version() == null ? "" : "?version=" + arguments.version();
        return URI.create(vault.address().toString().replaceFirst("/+$", "") + "/v1/" + safe("mount", mount) + "/data/"
                + safe("path", arguments.path()) + query);
    }

    private static String safe(String field, String path) throws ToolFailure {
        return PathText.encoded(path)
                .orElseThrow(() -> new ToolFailure(
                        ErrorCode.INVALID_REQUEST,
                        "Field '" + field + "' must be names separated by /, without '..' and special characters"));
    }

    private static Output output(VaultReply.Found found, Arguments arguments) throws ToolFailure {
        Map<String, Object> values = new TreeMap<>();
        for (Map.Entry<String, JsonNode> value : found.values().properties()) {
            if (arguments.key() == null || arguments.key().equals(value.getKey())) {
                values.put(value.getKey(), plain(value.getValue()));
            }
        }
        if (arguments.key() != null && values.isEmpty()) {
            throw new ToolFailure(
                    ErrorCode.KEY_NOT_FOUND,
                    "The secret '" + arguments.path() + "' has no key of that name; its keys are "
                            + String.join(", ", found.values().propertyNames()));
        }
        String text = arguments.key() != null
                ? String.valueOf(values.get(arguments.key()))
                : values.entrySet().stream()
                        .map(value -> value.getKey() + ": " + value.getValue())
                        .collect(Collectors.joining("\n"));
        return Output.of(text, new Result(arguments.path(), found.version(), values))
                .with(Map.of("version", found.version()));
    }

    private static Object plain(JsonNode value) {
        return value.isString()
                ? value.stringValue()
                : Optional.<Object>ofNullable(Json.MAPPER.convertValue(value, Object.class))
                        .orElse("");
    }
}
