package dev.toolgate.http.json;

import java.util.Locale;

/** How record components are named in JSON. */
public enum FieldNames {
    /** {@code agentId} becomes {@code agent_id}. */
    SNAKE_CASE,
    /** {@code agentId} stays unchanged. */
    AS_WRITTEN;

    String of(String component) {
        return switch (this) {
            case AS_WRITTEN -> component;
            case SNAKE_CASE -> {
                StringBuilder name = new StringBuilder(component.length() + 4);
                for (int i = 0; i < component.length(); i++) {
                    char c = component.charAt(i);
                    if (Character.isUpperCase(c)) {
                        name.append('_');
                    }
                    name.append(c);
                }
                yield name.toString().toLowerCase(Locale.ROOT);
            }
        };
    }
}
