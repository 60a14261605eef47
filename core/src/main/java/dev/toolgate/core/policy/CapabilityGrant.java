package dev.toolgate.core.policy;

import dev.toolgate.core.call.Bounds;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One capability of a policy bundle with its limits. An absent list does not restrict, except that {@link
 * #REMOTE_TOOLS} covers only the tools it names.
 */
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

    /** The capability of tools that use remote services such as databases and vaults. */
    public static final String REMOTE_TOOLS = "BackendTool.Invoke";

    /**
     * Whether it covers a tool.
     *
     * @param toolNames all names of the tool
     */
    public boolean covers(Stream<String> toolNames) {
        if (allowedTools == null) {
            return !name.equals(REMOTE_TOOLS);
        }
        return toolNames.anyMatch(allowedTools::contains);
    }

    /** A capability without restrictions. */
    public static CapabilityGrant named(String name) {
        return new CapabilityGrant(name, null, null, null, null, null, null, null, null, false, null);
    }

    /** The same, limited to these tools. */
    public CapabilityGrant forTools(List<String> tools) {
        return new CapabilityGrant(
                name,
                allowedPaths,
                blockedPaths,
                allowedCommands,
                blockedCommands,
                allowedDomains,
                List.copyOf(tools),
                maxFileSizeBytes,
                maxOutputBytes,
                requiresApproval,
                approvalRuleId);
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
