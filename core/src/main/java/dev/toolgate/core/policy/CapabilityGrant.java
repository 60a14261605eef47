package dev.toolgate.core.policy;

import dev.toolgate.core.call.Bounds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One capability of a policy bundle and how far it reaches; a list that is absent restricts nothing. */
public record CapabilityGrant(
        String name,
        @Nullable List<String> allowedPaths,
        @Nullable List<String> blockedPaths,
        @Nullable List<String> allowedCommands,
        @Nullable List<String> blockedCommands,
        @Nullable List<String> allowedDomains,
        @Nullable List<String> allowedTools,
        @Nullable Long maxFileSizeBytes,
        @Nullable Integer maxOutputBytes,
        boolean requiresApproval,
        @Nullable String approvalRuleId) {

    /** A capability without restrictions. */
    public static CapabilityGrant named(String name) {
        return new CapabilityGrant(name, null, null, null, null, null, null, null, null, false, null);
    }

    /** The limits it puts on a call. */
    public Bounds bounds() {
        return new Bounds(
                maxFileSizeBytes,
                maxOutputBytes,
                null,
                allowedPaths,
                blockedPaths == null ? List.of() : blockedPaths,
                allowedDomains,
                allowedCommands,
                blockedCommands == null ? List.of() : blockedCommands);
    }
}
