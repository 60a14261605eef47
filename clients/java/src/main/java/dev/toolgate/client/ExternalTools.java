package dev.toolgate.client;

import dev.toolgate.client.model.ExternalTool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tools that their callers run, on the gate's decision and record. */
public final class ExternalTools {
    private static final String PATH = "/api/v1/tools/external";

    private final Connection connection;

    ExternalTools(Connection connection) {
        this.connection = connection;
    }

    /** All of them, ordered by name. */
    public List<ExternalTool> list() {
        return Json.readList(connection.send(Request.get(PATH)).json(), ExternalTool.class);
    }

    /** Registers a tool, or changes it. */
    public ExternalTool register(ExternalTool tool) {
        Json.Body body = new Json.Body()
                .put("description", tool.description())
                .put("input_schema", tool.inputSchema())
                .put("capability", tool.capability())
                .put("danger", tool.danger());
        Reply reply = connection.send(Request.put(Request.path(PATH, tool.name()), body.fields()));
        return Json.read(reply.json(), ExternalTool.class);
    }

    /** Removes a tool; permits that were given can still be reported. */
    public void remove(String name, @Nullable String reason) {
        connection.send(Request.delete(Request.query(Request.path(PATH, name), "reason", reason)));
    }
}
