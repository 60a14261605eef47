package dev.toolgate.server.config;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.NearestName;
import dev.toolgate.server.config.Part.Entry;
import dev.toolgate.server.config.Part.Section;
import dev.toolgate.server.config.Part.Value;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the records of settings from a tree of keys, and gathers everything that is wrong with it. */
public final class SettingsReader {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsReader.class);

    private final Section root;
    private final Map<String, String> origins;
    private final List<String> complaints = new ArrayList<>();

    /**
     * @param origins for paths that were not set in the file, what they were set by
     */
    SettingsReader(Section root, Map<String, String> origins) {
        this.root = root;
        this.origins = origins;
    }

    /**
     * Reads a file that has the keys of one section.
     *
     * @throws InvalidSettings if anything is wrong
     */
    public static <T extends Record> T read(Class<T> section, Path file) {
        return section.cast(new SettingsReader(Part.of(section), Map.of()).read(SettingsFile.read(file)));
    }

    /**
     * @throws InvalidSettings if anything is wrong
     */
    Record read(ObjectNode tree) {
        Record settings = section(root, "", tree);
        if (settings == null || !complaints.isEmpty()) {
            throw new InvalidSettings(complaints);
        }
        return settings;
    }

    /**
     * The same for a section that stands somewhere inside a value.
     *
     * @throws IllegalArgumentException if anything is wrong
     */
    Record readInner(JsonNode tree) {
        Record settings = section(root, "", tree);
        if (settings == null || !complaints.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", complaints).replaceFirst("^: ", ""));
        }
        return settings;
    }

    private @Nullable Record section(Section section, String prefix, JsonNode node) {
        if (!node.isObject()) {
            complain(prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1), "must be a section with keys");
            return null;
        }
        node.propertyNames().stream()
                .filter(key -> !section.entries().containsKey(key)
                        && !section.formerKeys().contains(key))
                .forEach(key -> complain(
                        prefix + key,
                        "is not a setting; the nearest one is "
                                + NearestName.to(prefix + key, Part.values(root).keySet())));
        int before = complaints.size();
        List<@Nullable Object> values = new ArrayList<>();
        section.entries().forEach((key, entry) -> values.add(entry(entry, prefix, key, node)));
        return complaints.size() > before ? null : make(section, values, prefix);
    }

    private @Nullable Object entry(Entry entry, String prefix, String key, JsonNode section) {
        String former = entry.about().formerly();
        if (former.isEmpty() || section.path(former).isMissingNode()) {
            return entry(entry, prefix + key, section.path(key));
        }
        if (!section.path(key).isMissingNode()) {
            return complain(prefix + former, "is the former name of " + prefix + key + "; keep only the new one");
        }
        LOG.warn("The setting {}{} is called {}{} now; the old name still works.", prefix, former, prefix, key);
        return entry(entry, prefix + former, section.path(former));
    }

    private @Nullable Object entry(Entry entry, String path, JsonNode node) {
        if (!node.isMissingNode() && !node.isNull()) {
            return present(entry, path, node);
        }
        return switch (entry.absence()) {
            case NOTHING -> null;
            case DEFAULT -> present(entry, path, initial(entry));
            case MISSING -> complain(path, "is missing");
        };
    }

    private static JsonNode initial(Entry entry) {
        return switch (entry.part()) {
            case Section section -> Json.MAPPER.createObjectNode();
            case Value value -> value.kind().fromText().apply(entry.about().initial());
        };
    }

    private @Nullable Object present(Entry entry, String path, JsonNode node) {
        return switch (entry.part()) {
            case Section section -> section(section, path + ".", node);
            case Value value -> {
                try {
                    Object read = value.kind().read().apply(node);
                    new Range(entry.about()).check(read);
                    yield read;
                } catch (IllegalArgumentException wrong) {
                    yield complain(path, String.valueOf(wrong.getMessage()));
                }
            }
        };
    }

    private @Nullable Record make(Section section, List<@Nullable Object> values, String prefix) {
        Class<?>[] types = Arrays.stream(section.type().getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return section.type().getDeclaredConstructor(types).newInstance(values.toArray());
        } catch (ReflectiveOperationException broken) {
            if (broken.getCause() instanceof IllegalArgumentException wrong) {
                complaints.add(prefix + wrong.getMessage());
                return null;
            }
            throw new IllegalStateException(section.type() + " cannot be made.", broken);
        }
    }

    private @Nullable Object complain(String path, String what) {
        String origin = origins.get(path);
        complaints.add((origin == null ? path : origin) + ": " + what);
        return null;
    }
}
