package dev.toolgate.server.admin.approval;

import dev.toolgate.http.events.EventType;
import dev.toolgate.store.heldcall.ApprovalEvent;
import java.util.Locale;

/** The events of the stream of approval requests. */
enum ApprovalStreamEventType implements EventType {
    OPENED,
    ANSWERED;

    static ApprovalStreamEventType of(ApprovalEvent.Kind kind) {
        return switch (kind) {
            case OPENED -> OPENED;
            case ANSWERED -> ANSWERED;
        };
    }

    @Override
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
