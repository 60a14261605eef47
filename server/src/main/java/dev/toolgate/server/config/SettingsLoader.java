package dev.toolgate.server.config;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.NearestName;
import dev.toolgate.server.config.SettingsNode.Entry;
import dev.toolgate.server.config.SettingsNode.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Merges the sources of settings: the command line overrides the environment, which overrides the file. */
final class SettingsLoader {
    /** Placeholder; replaced once the home folder is known. */
    static final String WORKSPACE_IN_HOME = "<home>/workspace";

    private static final String FILE_NAME = "toolgate.yaml";

    private final SettingsNode.Section root = SettingsNode.of(ServerSettings.class);
    private final Map<String, Entry> known = SettingsNode.values(root);
    private final Map<String, String> origins = new HashMap<>();

    ServerSettings load(@Nullable Path file, Map<String, String> environment, Map<String, String> options) {
        ObjectNode overrides = Json.MAPPER.createObjectNode();
        known.forEach((path, entry) -> fromEnvironment(entry, environment).ifPresent(text -> {
            origins.put(path, entry.about().env());
            set(overrides, path, text);
        }));
        Map<String, String> renamed = SettingsNode.renamed(known);
        options.forEach((path, text) -> {
            String current = renamed.getOrDefault(path, path);
            origins.put(current, path);
            set(overrides, current, text);
        });
        ObjectNode tree = fromFile(file, overrides);
        renamed.forEach((former, current) -> {
            if (!overrides.at(pointer(current)).isMissingNode()
                    && tree.at(pointer(former).head()) instanceof ObjectNode section) {
                section.remove(former.substring(former.lastIndexOf('.')
                        + 1)); // an override replaces the value of the file, whichever name it has there
            }
        });
        merge(tree, overrides);
        if (tree.path("workspace").isMissingNode()) {
            tree.put("workspace", WORKSPACE_IN_HOME.replace("<home>", home(tree).toString()));
        }
        return (ServerSettings) new SettingsReader(root, origins).read(tree);
    }

    private ObjectNode fromFile(@Nullable Path named, ObjectNode overrides) {
        if (named != null) {
            return SettingsFile.read(named);
        }
        Path defaultFile = home(overrides).resolve(FILE_NAME);
        return Files.exists(defaultFile) ? SettingsFile.read(defaultFile) : Json.MAPPER.createObjectNode();
    }

    private Path home(ObjectNode tree) {
        Entry home = known.get("home");
        String text =
                tree.path("home").asString(home == null ? "" : home.about().defaultValue());
        return (Path) ValueFormats.of(Path.class).parse(text);
    }

    private static Optional<String> fromEnvironment(Entry entry, Map<String, String> environment) {
        String name = entry.about().env();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        String text = environment.getOrDefault(name, "");
        String file = environment.getOrDefault(name + "_FILE", "");
        if (file.isEmpty()) {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(text); // compose files set variables to an empty text; treated as not set
        }
        if (!text.isEmpty()) {
            throw new InvalidSettings(name + ": is set together with " + name + "_FILE; keep one of them");
        }
        try {
            return Optional.of(Files.readString(Path.of(file)).replaceFirst("\\R$", ""));
        } catch (IOException unreadable) {
            throw new InvalidSettings(name + "_FILE: the file cannot be read; check its path and permissions");
        }
    }

    private void set(ObjectNode tree, String path, String text) {
        Entry entry = known.get(path);
        if (entry == null || !(entry.node() instanceof Value value)) {
            throw new InvalidSettings(
                    path + ": is not a setting; the nearest one is " + NearestName.to(path, known.keySet()));
        }
        int dot = path.lastIndexOf('.');
        ObjectNode section =
                dot < 0 ? tree : tree.withObject("/" + path.substring(0, dot).replace('.', '/'));
        section.set(path.substring(dot + 1), value.format().fromText().apply(text));
    }

    private static JsonPointer pointer(String path) {
        return JsonPointer.compile("/" + path.replace('.', '/'));
    }

    private static void merge(ObjectNode tree, ObjectNode overrides) {
        overrides.properties().forEach(field -> {
            JsonNode below = tree.path(field.getKey());
            if (below instanceof ObjectNode section && field.getValue() instanceof ObjectNode stronger) {
                merge(section, stronger);
            } else {
                tree.set(field.getKey(), field.getValue());
            }
        });
    }
}
