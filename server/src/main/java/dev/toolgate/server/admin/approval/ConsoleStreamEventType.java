package dev.toolgate.server.admin.approval;

import dev.toolgate.http.events.EventType;
import dev.toolgate.store.heldcall.ApprovalEvent;
import java.util.Locale;

/** The events of the console's stream. */
enum ConsoleStreamEventType implements EventType {
    APPROVAL_OPENED,
    APPROVAL_ANSWERED,
    PERMISSIONS,
    HEALTH,
    RESET;

    static ConsoleStreamEventType of(ApprovalEvent.Kind kind) {
        return switch (kind) {
            case OPENED -> APPROVAL_OPENED;
            case ANSWERED -> APPROVAL_ANSWERED;
        };
    }

    @Override
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
