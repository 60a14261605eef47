package dev.toolgate.server.admin.audit;

import dev.toolgate.http.events.EventType;

/** The events of the stream of audit records. */
enum AuditStreamEventType implements EventType {
    RECORD;

    @Override
    public String wireName() {
        return "record";
    }
}
