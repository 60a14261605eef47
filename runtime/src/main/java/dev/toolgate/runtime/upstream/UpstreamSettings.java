package dev.toolgate.runtime.upstream;

import dev.toolgate.core.policy.McpServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an MCP server, and which of its tools may be used.
 *
 * @param name the prefix of its tools' names, {@code name/tool}, unless they are named as listed
 * @param allowedTools the only tools that are offered, by the server's names; {@code null} means all
 * @param capability the capability that a policy must grant for its tools
 * @param timeout how long a call waits for an answer or for progress; with progress, up to ten minutes in total
 * @param toolTimeouts the time limit of single tools, by the server's names; progress does not extend it
 * @param idleStop how long a program may be unused before it is stopped
 * @param trust whether its annotations are trusted
 * @param naming how its tools and prompts are named
 */
public record UpstreamSettings(
        String name,
        UpstreamEndpoint endpoint,
        @Nullable List<String> allowedTools,
        String capability,
        Duration timeout,
        Map<String, Duration> toolTimeouts,
        Duration idleStop,
        AnnotationTrust trust,
        Naming naming) {
    /** How the tools and prompts of a server are named. */
    public enum Naming {
        /** {@code server/tool}. */
        WITH_SERVER,
        /** As the server names them, for a program that uses one server only. */
        AS_LISTED
    }

    /** The capability of tools if none is configured for their server. */
    public static final String DEFAULT_CAPABILITY = "Mcp.Invoke";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration DEFAULT_IDLE_STOP = Duration.ofMinutes(10);

    public UpstreamSettings {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of an MCP server must begin with a letter or digit and have"
                    + " at most 64 letters, digits, dots, dashes and underscores.");
        }
        if (!timeout.isPositive()
                || !idleStop.isPositive()
                || toolTimeouts.values().stream().anyMatch(time -> !time.isPositive())) {
            throw new IllegalArgumentException("The timeouts of an MCP server must be positive.");
        }
        allowedTools = allowedTools == null ? null : List.copyOf(allowedTools);
        toolTimeouts = Map.copyOf(toolTimeouts);
    }

    /** All tools, with defaults. */
    public static UpstreamSettings of(String name, UpstreamEndpoint endpoint) {
        return new UpstreamSettings(
                name,
                endpoint,
                null,
                DEFAULT_CAPABILITY,
                DEFAULT_TIMEOUT,
                Map.of(),
                DEFAULT_IDLE_STOP,
                AnnotationTrust.NONE,
                Naming.WITH_SERVER);
    }

    /**
     * A server that a policy bundle lists.
     *
     * @throws IllegalArgumentException with one sentence that says what is wrong with the entry
     */
    public static UpstreamSettings of(McpServer entry) {
        return BundleServer.read(entry);
    }

    /** Whether a tool may be offered. */
    public boolean allows(String tool) {
        return allowedTools == null || allowedTools.contains(tool);
    }

    /** The same with only these tools. */
    public UpstreamSettings allowing(@Nullable List<String> tools) {
        return new UpstreamSettings(name, endpoint, tools, capability, timeout, toolTimeouts, idleStop, trust, naming);
    }

    /** The same with another capability. */
    public UpstreamSettings needing(String newCapability) {
        return new UpstreamSettings(
                name, endpoint, allowedTools, newCapability, timeout, toolTimeouts, idleStop, trust, naming);
    }

    /** The same with other time limits. */
    public UpstreamSettings within(Duration newTimeout, Map<String, Duration> newToolTimeouts) {
        return new UpstreamSettings(
                name, endpoint, allowedTools, capability, newTimeout, newToolTimeouts, idleStop, trust, naming);
    }

    /** The same with another idle time-out. */
    public UpstreamSettings stoppedAfter(Duration idle) {
        return new UpstreamSettings(
                name, endpoint, allowedTools, capability, timeout, toolTimeouts, idle, trust, naming);
    }

    /** The same with trust in its annotations. */
    public UpstreamSettings trusting(AnnotationTrust newTrust) {
        return new UpstreamSettings(
                name, endpoint, allowedTools, capability, timeout, toolTimeouts, idleStop, newTrust, naming);
    }

    /** The same with another naming. */
    public UpstreamSettings named(Naming newNaming) {
        return new UpstreamSettings(
                name, endpoint, allowedTools, capability, timeout, toolTimeouts, idleStop, trust, newNaming);
    }

    /** The name of a tool or prompt of the server. */
    public String nameOf(String listed) {
        return switch (naming) {
            case WITH_SERVER -> name + "/" + listed;
            case AS_LISTED -> listed;
        };
    }
}
