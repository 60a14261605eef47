package dev.toolgate.core.call;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tools a workflow declares that it uses. A tool it does not name is not available; a scope that
 * names nothing at all leaves only the safe defaults. No scope at all ({@code null} where one could
 * stand) restricts nothing.
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
     * @param canonicalName the name by which the safe defaults know it
     * @param names all its names, any of which a workflow may use
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
