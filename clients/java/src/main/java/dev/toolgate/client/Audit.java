package dev.toolgate.client;

import dev.toolgate.client.model.AuditQuery;
import dev.toolgate.client.model.AuditRecord;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** The audit log of every call. */
public final class Audit {
    private static final String PATH = "/api/v1/audit";

    private final Connection connection;

    Audit(Connection connection) {
        this.connection = connection;
    }

    /** The matching records, fetched lazily page by page. */
    public Stream<AuditRecord> list(AuditQuery query) {
        return Pages.of(connection, Request.query(PATH + "/logs", query.filters()), AuditRecord.class);
    }

    /** One record by its number. */
    public AuditRecord get(long id) {
        Reply reply = connection.send(Request.get(Request.path(PATH + "/logs", Long.toString(id))));
        return Json.read(reply.json(), AuditRecord.class);
    }

    /** New matching records as they are written, until either side ends the stream; the caller must close it. */
    public Stream<AuditRecord> stream(AuditQuery query) {
        return Events.of(connection, Request.query(PATH + "/stream", query.filters()))
                .takeWhile(event -> !event.name().equals("cut"))
                .filter(event -> event.name().equals("record"))
                .map(event -> Json.read(Json.parse(event.data().getBytes(StandardCharsets.UTF_8)), AuditRecord.class));
    }
}
