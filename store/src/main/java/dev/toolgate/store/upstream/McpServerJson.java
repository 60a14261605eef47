package dev.toolgate.store.upstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.toolgate.core.json.Json;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Server settings as JSON, as they are stored and as the API shows them. */
public final class McpServerJson {
    private static final JsonMapper MAPPER = Json.MAPPER
            .rebuild()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private McpServerJson() {}

    /** The settings as JSON; fields that have no meaning for the kind of server are left out. */
    public static ObjectNode write(McpServerSettings settings) {
        boolean program = settings.url() == null;
        McpCredentials shown = settings.credentials();
        return MAPPER.valueToTree(new Wire(
                settings.url() == null ? null : settings.url().toString(),
                program ? settings.command() : null,
                program ? new TreeMap<>(settings.environment()) : null,
                program ? new TreeMap<>(settings.secrets()) : null,
                program ? settings.egress() : null,
                program ? null : settings.plainHttp(),
                shown == null ? null : credentials(shown),
                settings.allowedTools(),
                settings.capability(),
                settings.timeout().toMillis(),
                millis(settings.toolTimeouts()),
                settings.trustAnnotations(),
                settings.enabled(),
                settings.agreeFirst() ? true : null));
    }

    private static WireCredentials credentials(McpCredentials shown) {
        return new WireCredentials(
                shown.kind().name().toLowerCase(Locale.ROOT),
                shown.secret(),
                shown.header(),
                shown.scheme(),
                shown.issuer() == null ? null : shown.issuer().toString(),
                shown.clientId(),
                shown.scopes().isEmpty() ? null : shown.scopes(),
                shown.subjectSecret());
    }

    private static Map<String, Long> millis(Map<String, Duration> timeouts) {
        Map<String, Long> millis = new TreeMap<>();
        timeouts.forEach((tool, timeout) -> millis.put(tool, timeout.toMillis()));
        return millis;
    }

    static McpServerSettings read(String json) {
        Wire wire = MAPPER.readValue(json, Wire.class);
        WireCredentials shown = wire.credentials;
        Map<String, Duration> timeouts = new TreeMap<>();
        orEmpty(wire.toolTimeoutsMs).forEach((tool, millis) -> timeouts.put(tool, Duration.ofMillis(millis)));
        return new McpServerSettings(
                wire.url == null ? null : URI.create(wire.url),
                orEmpty(wire.command),
                orEmpty(wire.environment),
                orEmpty(wire.secrets),
                orEmpty(wire.egress),
                Boolean.TRUE.equals(wire.plainHttp),
                shown == null
                        ? null
                        : new McpCredentials(
                                McpCredentials.Kind.valueOf(shown.kind.toUpperCase(Locale.ROOT)),
                                shown.secret,
                                shown.header,
                                shown.scheme,
                                shown.issuer == null ? null : URI.create(shown.issuer),
                                shown.clientId,
                                orEmpty(shown.scopes),
                                shown.subjectSecret),
                wire.allowedTools,
                wire.capability,
                Duration.ofMillis(wire.timeoutMs),
                timeouts,
                wire.trustAnnotations,
                wire.enabled,
                Boolean.TRUE.equals(wire.agreeFirst));
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    private static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : map;
    }

    private record Wire(
            @Nullable String url,
            @Nullable List<String> command,
            @Nullable Map<String, String> environment,
            @Nullable Map<String, String> secrets,
            @Nullable List<String> egress,
            @Nullable Boolean plainHttp,
            @Nullable WireCredentials credentials,
            @Nullable List<String> allowedTools,
            String capability,
            long timeoutMs,
            @Nullable Map<String, Long> toolTimeoutsMs,
            boolean trustAnnotations,
            boolean enabled,
            @Nullable Boolean agreeFirst) {}

    private record WireCredentials(
            String kind,
            @Nullable String secret,
            @Nullable String header,
            @Nullable String scheme,
            @Nullable String issuer,
            @Nullable String clientId,
            @Nullable List<String> scopes,
            @Nullable String subjectSecret) {}
}
