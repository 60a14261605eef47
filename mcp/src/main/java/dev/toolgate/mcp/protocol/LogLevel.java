package dev.toolgate.mcp.protocol;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The severity of a log message, lowest first. */
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    /** The name on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The level with this name on the wire; null if there is none. */
    public static @Nullable LogLevel of(String wireName) {
        for (LogLevel level : values()) {
            if (level.wireName().equals(wireName)) {
                return level;
            }
        }
        return null;
    }
}
