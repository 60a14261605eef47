package dev.toolgate.cli.audit;

import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.PrintableText;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The table columns of audit records. */
final class RecordColumns {
    static final Columns OF_RECORDS = new Columns()
            .time("TIME", "timestamp")
            .field("AGENT", "agent_id")
            .field("TOOL", "tool_name")
            .cell("VERDICT", record -> record.path("allowed").asBoolean(false) ? "allowed" : "DENIED")
            .cell("OUTCOME", record -> PrintableText.of(record.path("status")).toLowerCase(Locale.ROOT))
            .field("MS", "execution_time_ms")
            .field("REQUEST", "request_id")
            .cell("WHAT", RecordColumns::what);

    static final Columns OF_COSTS =
            new Columns().field("NAME", "name").field("CALLS", "calls").field("COST", "cost");

    private RecordColumns() {}

    private static String what(JsonNode record) {
        return PrintableText.of(
                record.path(record.path("denial_reason").isString() ? "denial_reason" : "result_summary"));
    }
}
