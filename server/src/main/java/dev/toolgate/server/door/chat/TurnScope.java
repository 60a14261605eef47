package dev.toolgate.server.door.chat;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.ToolPermission;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.BadRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Parses the tools that a message is limited to: a list of names, of which an entry may be an object with paths and a
 * time-out, or an object with permissions by name. An empty list or object leaves the safe defaults.
 */
record TurnScope(ToolCatalog catalog, TenantId tenant) {
    private static final String FIELD = "tools";
    private static final Set<String> KNOWN = Set.of("name", "allowed", "paths", "timeout");
    private static final int MAX_PATHS = 100;
    private static final Pattern TIME = Pattern.compile("(?:\\d{1,6}(?:h|ms|m|s))+");
    private static final Pattern PART = Pattern.compile("(\\d+)(h|ms|m|s)");

    /**
     * @return {@code null} if the message sets no limit
     * @throws BadRequest if it names an unknown tool or has another format
     */
    @Nullable
    ToolScope read(@Nullable JsonNode tools) {
        if (tools == null || tools.isNull()) {
            return null;
        }
        Map<String, ToolPermission> permissions = new LinkedHashMap<>();
        if (tools.isArray()) {
            tools.forEach(entry -> add(entry, permissions));
        } else if (tools.isObject()
                && tools.size() == 1
                && tools.path("permissions").isObject()) {
            tools.path("permissions")
                    .forEachEntry((name, node) -> put(name, permission(node, "permissions." + name), permissions));
        } else {
            throw new BadRequest("Field 'tools' must be a list of tools, or an object with 'permissions' by tool.");
        }
        return new ToolScope(permissions);
    }

    private void add(JsonNode entry, Map<String, ToolPermission> permissions) {
        if (entry.isString()) {
            put(entry.stringValue(), ToolPermission.ALLOWED, permissions);
        } else if (entry.isObject() && entry.path("name").isString()) {
            String name = entry.path("name").stringValue();
            put(name, permission(entry, name), permissions);
        } else {
            throw new BadRequest("Field 'tools' must be a list of names, or of objects with a 'name'.");
        }
    }

    private void put(String name, ToolPermission permission, Map<String, ToolPermission> permissions) {
        if (catalog.find(tenant, name).isEmpty()) {
            throw new BadRequest("Field 'tools' names '" + name + "', but there is no such tool.");
        }
        if (permissions.put(name, permission) != null) {
            throw new BadRequest("Field 'tools' names '" + name + "' twice.");
        }
    }

    private static ToolPermission permission(JsonNode node, String place) {
        for (String field : node.propertyNames()) {
            if (!KNOWN.contains(field)) {
                throw wrong(place + "." + field, "is unknown; known are allowed, paths and timeout");
            }
        }
        JsonNode allowed = node.path("allowed");
        if (!node.isObject() || !(allowed.isMissingNode() || allowed.isBoolean())) {
            throw wrong(place, "must be an object in which 'allowed' is true or false");
        }
        return allowed.asBoolean(true)
                ? new ToolPermission(true, paths(node.path("paths"), place), timeout(node.path("timeout"), place))
                : ToolPermission.REFUSED;
    }

    private static List<String> paths(JsonNode node, String place) {
        if (node.isMissingNode() || node.isNull()) {
            return List.of();
        }
        List<String> paths = new ArrayList<>();
        if (node.isArray() && node.size() <= MAX_PATHS) {
            node.forEach(path -> paths.add(path.isString() ? path.stringValue() : ""));
        }
        if (paths.isEmpty() || paths.stream().anyMatch(String::isBlank)) {
            throw wrong(place + ".paths", "must be a list of 1 to " + MAX_PATHS + " paths");
        }
        return paths;
    }

    private static @Nullable Duration timeout(JsonNode node, String place) {
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        Duration timeout = Duration.ZERO;
        if (node.isString() && TIME.matcher(node.stringValue()).matches()) {
            Matcher parts = PART.matcher(node.stringValue());
            while (parts.find()) {
                timeout = timeout.plus(part(Long.parseLong(parts.group(1)), parts.group(2)));
            }
        }
        if (!timeout.isPositive()) {
            throw wrong(place + ".timeout", "must be a time such as 30s or 1m30s");
        }
        return timeout;
    }

    private static Duration part(long number, String unit) {
        return switch (unit) {
            case "h" -> Duration.ofHours(number);
            case "m" -> Duration.ofMinutes(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMillis(number);
        };
    }

    private static BadRequest wrong(String place, String what) {
        return new BadRequest("Field '" + FIELD + "." + place + "' " + what + ".");
    }
}
