package dev.toolgate.server.config;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.NearestName;
import dev.toolgate.server.config.Part.Entry;
import dev.toolgate.server.config.Part.Value;
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

/** Puts the sources of settings together: what the command line says wins over the environment, that over the file. */
final class SettingsLoader {
    /** Filled in once the home is known. */
    static final String WORKSPACE_IN_HOME = "<home>/workspace";

    private static final String FILE_NAME = "toolgate.yaml";

    private final Part.Section root = Part.of(ServerSettings.class);
    private final Map<String, Entry> known = Part.values(root);
    private final Map<String, String> origins = new HashMap<>();

    ServerSettings load(@Nullable Path file, Map<String, String> environment, Map<String, String> options) {
        ObjectNode above = Json.MAPPER.createObjectNode();
        known.forEach((path, entry) -> fromEnvironment(entry, environment).ifPresent(text -> {
            origins.put(path, entry.about().env());
            set(above, path, text);
        }));
        Map<String, String> renamed = Part.renamed(known);
        options.forEach((path, text) -> {
            String current = renamed.getOrDefault(path, path);
            origins.put(current, path);
            set(above, current, text);
        });
        ObjectNode tree = fromFile(file, above);
        renamed.forEach((former, current) -> {
            if (!above.at(pointer(current)).isMissingNode()
                    && tree.at(pointer(former).head()) instanceof ObjectNode section) {
                section.remove(
                        former.substring(former.lastIndexOf('.') + 1)); // of what is set above, nothing below counts
            }
        });
        merge(tree, above);
        if (tree.path("workspace").isMissingNode()) {
            tree.put("workspace", WORKSPACE_IN_HOME.replace("<home>", home(tree).toString()));
        }
        return (ServerSettings) new SettingsReader(root, origins).read(tree);
    }

    private ObjectNode fromFile(@Nullable Path named, ObjectNode above) {
        if (named != null) {
            return SettingsFile.read(named);
        }
        Path usual = home(above).resolve(FILE_NAME);
        return Files.exists(usual) ? SettingsFile.read(usual) : Json.MAPPER.createObjectNode();
    }

    private Path home(ObjectNode tree) {
        Entry home = known.get("home");
        String text =
                tree.path("home").asString(home == null ? "" : home.about().initial());
        return (Path) Kinds.of(Path.class).parse(text);
    }

    private static Optional<String> fromEnvironment(Entry entry, Map<String, String> environment) {
        String name = entry.about().env();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        String text = environment.getOrDefault(name, "");
        String file = environment.getOrDefault(name + "_FILE", "");
        if (file.isEmpty()) {
            return text.isEmpty() ? Optional.empty() : Optional.of(text); // set but empty, as compose files do
        }
        if (!text.isEmpty()) {
            throw new InvalidSettings(name + ": is set, and so is " + name + "_FILE; keep one of them");
        }
        try {
            return Optional.of(Files.readString(Path.of(file)).replaceFirst("\\R$", ""));
        } catch (IOException unreadable) {
            throw new InvalidSettings(name + "_FILE: the file it names cannot be read");
        }
    }

    private void set(ObjectNode tree, String path, String text) {
        Entry entry = known.get(path);
        if (entry == null || !(entry.part() instanceof Value value)) {
            throw new InvalidSettings(
                    path + ": is not a setting; the nearest one is " + NearestName.to(path, known.keySet()));
        }
        int dot = path.lastIndexOf('.');
        ObjectNode section =
                dot < 0 ? tree : tree.withObject("/" + path.substring(0, dot).replace('.', '/'));
        section.set(path.substring(dot + 1), value.kind().fromText().apply(text));
    }

    private static JsonPointer pointer(String path) {
        return JsonPointer.compile("/" + path.replace('.', '/'));
    }

    private static void merge(ObjectNode tree, ObjectNode above) {
        above.properties().forEach(field -> {
            JsonNode below = tree.path(field.getKey());
            if (below instanceof ObjectNode section && field.getValue() instanceof ObjectNode stronger) {
                merge(section, stronger);
            } else {
                tree.set(field.getKey(), field.getValue());
            }
        });
    }
}
