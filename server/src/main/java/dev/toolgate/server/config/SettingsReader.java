package dev.toolgate.server.config;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.NearestName;
import dev.toolgate.server.config.SettingsNode.Entry;
import dev.toolgate.server.config.SettingsNode.Section;
import dev.toolgate.server.config.SettingsNode.Value;
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

/** Reads settings records from a JSON tree and collects all problems. */
public final class SettingsReader {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsReader.class);

    private final Section root;
    private final Map<String, String> origins;
    private final List<String> problems = new ArrayList<>();

    /**
     * @param origins for paths not set in the file, the variable or option that set them
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
        return section.cast(new SettingsReader(SettingsNode.of(section), Map.of()).read(SettingsFile.read(file)));
    }

    /**
     * @throws InvalidSettings if anything is wrong
     */
    Record read(ObjectNode tree) {
        Record settings = section(root, "", tree);
        if (settings == null || !problems.isEmpty()) {
            throw new InvalidSettings(problems);
        }
        return settings;
    }

    /**
     * Reads a section that is nested in a value.
     *
     * @throws IllegalArgumentException if anything is wrong
     */
    Record readInner(JsonNode tree) {
        Record settings = section(root, "", tree);
        if (settings == null || !problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems).replaceFirst("^: ", ""));
        }
        return settings;
    }

    private @Nullable Record section(Section section, String prefix, JsonNode node) {
        if (!node.isObject()) {
            report(prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1), "must be a section with keys");
            return null;
        }
        node.propertyNames().stream()
                .filter(key -> !section.entries().containsKey(key)
                        && !section.formerKeys().contains(key))
                .forEach(key -> report(
                        prefix + key,
                        "is not a setting; the nearest one is "
                                + NearestName.to(
                                        prefix + key, SettingsNode.values(root).keySet())));
        int before = problems.size();
        List<@Nullable Object> values = new ArrayList<>();
        section.entries().forEach((key, entry) -> values.add(entry(entry, prefix, key, node)));
        return problems.size() > before ? null : make(section, values, prefix);
    }

    private @Nullable Object entry(Entry entry, String prefix, String key, JsonNode section) {
        String former = entry.about().formerly();
        if (former.isEmpty() || section.path(former).isMissingNode()) {
            return entry(entry, prefix + key, section.path(key));
        }
        if (!section.path(key).isMissingNode()) {
            return report(prefix + former, "is the former name of " + prefix + key + "; keep only the new one");
        }
        LOG.warn("The setting {}{} has been renamed to {}{}; the former name still works", prefix, former, prefix, key);
        return entry(entry, prefix + former, section.path(former));
    }

    private @Nullable Object entry(Entry entry, String path, JsonNode node) {
        if (!node.isMissingNode() && !node.isNull()) {
            return present(entry, path, node);
        }
        return switch (entry.absence()) {
            case NOTHING -> null;
            case DEFAULT -> present(entry, path, initial(entry));
            case MISSING -> report(path, "is missing");
        };
    }

    private static JsonNode initial(Entry entry) {
        return switch (entry.node()) {
            case Section section -> Json.MAPPER.createObjectNode();
            case Value value -> value.format().fromText().apply(entry.about().defaultValue());
        };
    }

    private @Nullable Object present(Entry entry, String path, JsonNode node) {
        return switch (entry.node()) {
            case Section section -> section(section, path + ".", node);
            case Value value -> {
                try {
                    Object read = value.format().read().apply(node);
                    new Range(entry.about()).check(read);
                    yield read;
                } catch (IllegalArgumentException wrong) {
                    yield report(path, String.valueOf(wrong.getMessage()));
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
                problems.add(prefix + wrong.getMessage());
                return null;
            }
            throw new IllegalStateException(section.type() + " cannot be instantiated.", broken);
        }
    }

    private @Nullable Object report(String path, String what) {
        String origin = origins.get(path);
        problems.add((origin == null ? path : origin) + ": " + what);
        return null;
    }
}
