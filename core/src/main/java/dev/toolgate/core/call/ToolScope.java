package dev.toolgate.core.call;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tools a workflow declares. Others are not available; an empty scope leaves only the safe defaults; no scope
 * ({@code null}) restricts nothing.
 */
public record ToolScope(Map<String, ToolPermission> permissions) {
    /** What an empty scope still allows. */
    public static final Set<String> SAFE_DEFAULTS = Set.of("file_read", "web_search");

    public ToolScope {
        permissions = Map.copyOf(permissions);
    }

    /**
     * The permission for a tool.
     *
     * @param canonicalName as used in the safe defaults
     * @param names all its names; a workflow may use any of them
     */
    public ToolPermission permissionFor(String canonicalName, Stream<String> names) {
        if (permissions.isEmpty()) {
            return SAFE_DEFAULTS.contains(canonicalName) ? ToolPermission.ALLOWED : ToolPermission.REFUSED;
        }
        return names.map(permissions::get)
                .filter(Objects::nonNull)
                .reduce(ToolPermission::and)
                .orElse(ToolPermission.REFUSED);
    }
}
