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

/** Prints audit records as they come, one on each line. */
final class RecordFollower {
    private final Api api;
    private final ResultPrinter output;
    private final Set<String> printed = new HashSet<>();

    RecordFollower(Api api, ResultPrinter output) {
        this.api = api;
        this.output = output;
    }

    /**
     * Prints the last records, oldest first, and then new ones until the server or the reader ends it.
     *
     * @throws IOException when the server ends it
     */
    void follow(AuditFilters filters, int most) throws IOException {
        // The stream first: a record that comes while the list is read is then in one of them or in both.
        try (ServerEvents stream = new ServerEvents(api.open(filters.into(RequestTarget.api("audit", "stream"))))) {
            ArrayNode earlier = api.list(filters.into(RequestTarget.api("audit", "logs")), most);
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
