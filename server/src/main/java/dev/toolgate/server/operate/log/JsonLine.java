package dev.toolgate.server.operate.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.redact.Redactor;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** A log line as one JSON object. */
final class JsonLine implements LogLine {
    private static final List<String> FIELDS = List.of(LogFields.CORRELATION_ID, LogFields.REQUEST_ID, LogFields.AGENT);

    @Override
    public String of(ILoggingEvent event, Redactor redactor) {
        ObjectNode line = Json.MAPPER.createObjectNode();
        line.put("timestamp", event.getInstant().toString());
        line.put("level", event.getLevel().toString());
        line.put("logger", event.getLoggerName());
        line.put("thread", event.getThreadName());
        line.put("message", LogLine.message(event, redactor));
        Map<String, String> mdc = event.getMDCPropertyMap();
        for (String field : FIELDS) {
            String value = mdc.get(field);
            if (value != null) {
                line.put(field, LogLine.clean(value, redactor));
            }
        }
        LogLine.exception(event, redactor).ifPresent(thrown -> line.put("exception", thrown));
        return Json.MAPPER.writeValueAsString(line) + "\n";
    }
}
