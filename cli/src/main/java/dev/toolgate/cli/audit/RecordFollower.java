package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerEvents;
import dev.toolgate.cli.terminal.ResultPrinter;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Prints audit records as they are written, one per line. */
final class RecordFollower {
    private final Api api;
    private final ResultPrinter output;
    private final Set<String> printed = new HashSet<>();

    RecordFollower(Api api, ResultPrinter output) {
        this.api = api;
        this.output = output;
    }

    /**
     * Prints the latest records, oldest first, and then new ones until the stream or the output ends.
     *
     * @throws IOException when the server ends the stream
     */
    void follow(AuditFilters filters, int max) throws IOException {
        // The stream is opened first, so that a record written while the list is read is in one of them or both.
        try (ServerEvents stream = new ServerEvents(api.open(filters.into(RequestTarget.api("audit", "stream"))))) {
            ArrayNode earlier = api.list(filters.into(RequestTarget.api("audit", "logs")), max);
            for (int i = earlier.size() - 1; i >= 0; i--) {
                printed.add(id(earlier.get(i)));
                print(earlier.get(i));
            }
            stream.read(output.out(), (_, data) -> take(data));
        }
    }

    private void take(String data) {
        JsonNode record = Json.MAPPER.readTree(data);
        if (!printed.remove(id(record))) {
            print(record);
        }
    }

    private void print(JsonNode record) {
        output.out()
                .println(
                        switch (output.form()) {
                            case JSON -> record.toString();
                            case TEXT -> RecordColumns.OF_RECORDS.line(record);
                        });
        output.out().flush();
    }

    private static String id(JsonNode record) {
        return record.path("id").asString("");
    }
}
