package dev.toolgate.server.admin.review;

import dev.toolgate.http.events.EventType;
import java.util.Locale;

/** The events of a simulation. */
enum SimulationStreamEventType implements EventType {
    PROGRESS,
    RESULT,
    ERROR;

    @Override
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
