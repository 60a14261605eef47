package dev.toolgate.core.decision;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.DomainPatterns;
import dev.toolgate.core.policy.PathPatterns;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.shell.CommandRules;
import dev.toolgate.core.tool.ToolSpec;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks a call against one capability of a session: tools, paths, domains and commands.
 *
 * @param resolver resolves the paths that the caller wrote
 */
record CapabilityScope(CapabilityGrant capability, Function<String, List<PathResolver.ResolvedPath>> resolver) {

    /** Why the capability does not cover the call and what it would need, in one sentence; empty if it does. */
    Optional<String> objection(ToolSpec<?> tool, ObjectNode arguments) {
        if (!capability.covers(tool.names())) {
            return Optional.of("Tool '" + tool.name() + "' is not among the tools that capability '"
                    + capability.name() + "' allows in this session; it would need '" + tool.name()
                    + "' in allowedTools");
        }
        Bounds bounds = capability.bounds();
        for (Touch kind : Touch.values()) {
            if (!isLimited(kind, bounds)) {
                continue;
            }
            if (tool.arguments().undeclaredTouches().contains(kind)) {
                return Optional.of("Tool '" + tool.name() + "' does not declare which " + kind.inWords()
                        + " it uses, and capability '" + capability.name()
                        + "' limits them in this session; it would need the capability without that limit");
            }
            for (String named : tool.arguments().named(kind, arguments)) {
                Optional<String> objection = objection(kind, named, bounds);
                if (objection.isPresent()) {
                    return objection;
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isLimited(Touch kind, Bounds bounds) {
        return switch (kind) {
            case NOTHING -> false;
            case PATH -> bounds.limitsPaths();
            case URL -> bounds.allowedDomains() != null;
            case COMMAND -> bounds.limitsCommands();
        };
    }

    private Optional<String> objection(Touch kind, String named, Bounds bounds) {
        return switch (kind) {
            case NOTHING -> Optional.empty();
            case PATH ->
                path(named, bounds).map(why -> why + needing("it within allowedPaths and outside blockedPaths"));
            case URL -> domain(named, bounds).map(why -> why + needing("that host in allowedDomains"));
            case COMMAND ->
                CommandRules.of(bounds)
                        .objection(named)
                        .map(why -> why
                                + needing("every command of it in" + " allowedCommands and none in blockedCommands"));
        };
    }

    private Optional<String> path(String path, Bounds bounds) {
        List<PathResolver.ResolvedPath> found = resolver.apply(path);
        if (found.isEmpty()) {
            return Optional.of("'" + path + "' is outside every folder that tools may use");
        }
        PathPatterns patterns = new PathPatterns(bounds);
        return found.stream()
                .flatMap(place -> patterns.objection(place.relative(), place.rootNames(), path).stream())
                .findFirst();
    }

    // The URL itself is not quoted because it may contain a secret.
    private static Optional<String> domain(String url, Bounds bounds) {
        List<String> allowed = bounds.allowedDomains() == null ? List.of() : bounds.allowedDomains();
        Optional<String> host = host(url);
        if (host.isEmpty()) {
            return Optional.of("The host of the URL cannot be determined, so it is not among the allowed domains");
        }
        return new DomainPatterns(allowed).contains(host.get())
                ? Optional.empty()
                : Optional.of("Host '" + host.get() + "' is not among the domains the policy allows: " + allowed);
    }

    private static Optional<String> host(String url) {
        try {
            return Optional.ofNullable(new URI(url).getHost())
                    .map(host -> host.toLowerCase(Locale.ROOT).replaceAll("^\\[|]$|\\.$", ""));
        } catch (URISyntaxException unreadable) {
            return Optional.empty();
        }
    }

    private String needing(String what) {
        return "; capability '" + capability.name() + "' of this session would need " + what;
    }
}
