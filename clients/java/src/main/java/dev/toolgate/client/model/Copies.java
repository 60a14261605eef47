package dev.toolgate.client.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Unmodifiable copies of objects of a response, which may contain null and may be absent. */
final class Copies {
    private Copies() {}

    static Map<String, Object> of(@Nullable Map<String, Object> map) {
        return map == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
