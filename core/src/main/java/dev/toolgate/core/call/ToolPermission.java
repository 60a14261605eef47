package dev.toolgate.core.call;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a scope says about one tool.
 *
 * @param paths the only paths it may use; empty means every path of the workspace
 * @param timeout the longest it may run; {@code null} means the tool's own limit
 */
public record ToolPermission(
        boolean allowed, List<String> paths, @Nullable Duration timeout) {
    public static final ToolPermission ALLOWED = new ToolPermission(true, List.of(), null);
    public static final ToolPermission REFUSED = new ToolPermission(false, List.of(), null);

    public ToolPermission {
        paths = List.copyOf(paths);
    }

    /** The limits this permission puts on a call. */
    public Bounds bounds() {
        return paths.isEmpty() && timeout == null
                ? Bounds.none()
                : new Bounds(null, null, timeout, paths.isEmpty() ? null : paths, List.of(), null, null, List.of());
    }

    /** Both permissions at once, for a tool that a scope names twice. */
    ToolPermission and(ToolPermission other) {
        if (!allowed || !other.allowed) {
            return REFUSED;
        }
        Bounds both = bounds().and(other.bounds());
        if (both.allowedPaths() == null) {
            return new ToolPermission(true, List.of(), both.timeout());
        }
        // An empty list would mean every path, so disjoint lists refuse the tool.
        return both.allowedPaths().isEmpty() ? REFUSED : new ToolPermission(true, both.allowedPaths(), both.timeout());
    }
}
