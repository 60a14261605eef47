package dev.toolgate.server.operate.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.toolgate.core.redact.Redactor;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/** A log line as text: time, level, logger, message, and the correlation id if there is one. */
final class TextLine implements LogLine {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final Pattern LINE_END = Pattern.compile("\\R");
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\\n\\t]]");

    @Override
    public String of(ILoggingEvent event, Redactor redactor) {
        String logger = event.getLoggerName();
        StringBuilder line = new StringBuilder(160)
                .append(TIME.format(LocalTime.ofInstant(event.getInstant(), ZoneId.systemDefault())))
                .append(' ')
                .append("%-5s".formatted(event.getLevel()))
                .append(' ')
                .append(logger, logger.lastIndexOf('.') + 1, logger.length())
                .append(": ")
                .append(indented(LogLine.message(event, redactor)));
        String correlation = event.getMDCPropertyMap().get(LogFields.CORRELATION_ID);
        if (correlation != null) {
            line.append(" [")
                    .append(indented(LogLine.clean(correlation, redactor)))
                    .append(']');
        }
        line.append('\n');
        LogLine.exception(event, redactor).ifPresent(thrown -> line.append(indented(thrown.stripTrailing()))
                .append('\n'));
        return line.toString();
    }

    // Prevents log injection: a message cannot fake another line or send control characters to a terminal.
    private static String indented(String text) {
        return CONTROL.matcher(LINE_END.matcher(text).replaceAll("\n    ")).replaceAll("?");
    }
}
