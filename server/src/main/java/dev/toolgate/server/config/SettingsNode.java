package dev.toolgate.server.config;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node of the settings tree: a section with keys of its own, or a value. */
sealed interface SettingsNode {

    /** A section, defined by a record. */
    record Section(Class<? extends Record> type, Map<String, Entry> entries) implements SettingsNode {

        /** Former names of keys, which are still accepted. */
        Set<String> formerKeys() {
            return entries.values().stream()
                    .map(entry -> entry.about().formerly())
                    .filter(key -> !key.isEmpty())
                    .collect(Collectors.toSet());
        }
    }

    /** A value and its format. */
    record Value(ValueFormat format) implements SettingsNode {}

    /** One key of a section. */
    record Entry(Setting about, Absence absence, SettingsNode node) {}

    /** What happens if a key is missing. */
    enum Absence {
        /** The value is null. */
        NOTHING,
        /** The default is used, or a section of defaults. */
        DEFAULT,
        /** The key is required. */
        MISSING
    }

    /** The section of a record, read from its components. */
    static Section of(Class<? extends Record> type) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Setting about = component.getAnnotation(Setting.class);
            SettingsNode node = component.getType().isRecord() && !isValue(component.getType())
                    ? of(component.getType().asSubclass(Record.class))
                    : new Value(ValueFormats.of(component.getGenericType()));
            entries.put(snakeCase(component.getName()), new Entry(about, absence(component, about, node), node));
        }
        return new Section(type, entries);
    }

    /** All values, by their path. */
    static Map<String, Entry> values(Section section) {
        Map<String, Entry> values = new LinkedHashMap<>();
        section.entries().forEach((key, entry) -> {
            switch (entry.node()) {
                case Value value -> values.put(key, entry);
                case Section inner -> values(inner).forEach((rest, found) -> values.put(key + "." + rest, found));
            }
        });
        return values;
    }

    /** Former paths of values, with their current paths. */
    static Map<String, String> renamed(Map<String, Entry> values) {
        Map<String, String> renamed = new LinkedHashMap<>();
        values.forEach((path, entry) -> {
            String former = entry.about().formerly();
            if (!former.isEmpty()) {
                renamed.put(path.substring(0, path.lastIndexOf('.') + 1) + former, path);
            }
        });
        return renamed;
    }

    private static boolean isValue(Class<?> type) {
        return type == Secret.class || type == ByteSize.class || type == KeyLifetime.class;
    }

    private static Absence absence(RecordComponent component, Setting about, SettingsNode node) {
        if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            return Absence.NOTHING;
        }
        boolean empty =
                node instanceof Section || component.getType() == List.class || component.getType() == Map.class;
        return empty || !about.defaultValue().isEmpty() ? Absence.DEFAULT : Absence.MISSING;
    }

    private static String snakeCase(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
