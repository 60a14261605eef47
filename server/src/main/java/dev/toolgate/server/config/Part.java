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

/** What stands under one key: a section with keys of its own, or a value. */
sealed interface Part {

    /** The keys of a record. */
    record Section(Class<? extends Record> type, Map<String, Entry> entries) implements Part {

        /** Keys that were renamed and are still accepted. */
        Set<String> formerKeys() {
            return entries.values().stream()
                    .map(entry -> entry.about().formerly())
                    .filter(key -> !key.isEmpty())
                    .collect(Collectors.toSet());
        }
    }

    /** A value, and how it is written. */
    record Value(Kind kind) implements Part {}

    /** One key of a section. */
    record Entry(Setting about, Absence absence, Part part) {}

    /** What it means that a key is missing. */
    enum Absence {
        /** There is no value, and that is fine. */
        NOTHING,
        /** The default holds, or a section full of them. */
        DEFAULT,
        /** Something has to be there. */
        MISSING
    }

    /** The keys of a record, read from its components. */
    static Section of(Class<? extends Record> type) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Setting about = component.getAnnotation(Setting.class);
            Part part = component.getType().isRecord() && !isValue(component.getType())
                    ? of(component.getType().asSubclass(Record.class))
                    : new Value(Kinds.of(component.getGenericType()));
            entries.put(snakeCase(component.getName()), new Entry(about, absence(component, about, part), part));
        }
        return new Section(type, entries);
    }

    /** Every key that holds a value, by its path. */
    static Map<String, Entry> values(Section section) {
        Map<String, Entry> values = new LinkedHashMap<>();
        section.entries().forEach((key, entry) -> {
            switch (entry.part()) {
                case Value value -> values.put(key, entry);
                case Section inner -> values(inner).forEach((rest, found) -> values.put(key + "." + rest, found));
            }
        });
        return values;
    }

    /** The paths that values had before, and those they have now. */
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

    private static Absence absence(RecordComponent component, Setting about, Part part) {
        if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            return Absence.NOTHING;
        }
        boolean empty =
                part instanceof Section || component.getType() == List.class || component.getType() == Map.class;
        return empty || !about.initial().isEmpty() ? Absence.DEFAULT : Absence.MISSING;
    }

    private static String snakeCase(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
