package dev.toolgate.server.operate.log;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Redirects {@code java.util.logging} to SLF4J. */
final class JavaLogging extends Handler {
    private static final SimpleFormatter FORMATTER = new SimpleFormatter();

    private JavaLogging() {}

    static void redirect() {
        LogManager.getLogManager().reset();
        java.util.logging.Logger root = LogManager.getLogManager().getLogger("");
        root.setLevel(Level.INFO);
        root.addHandler(new JavaLogging());
    }

    @Override
    public void publish(LogRecord record) {
        String name = record.getLoggerName();
        LoggingEventBuilder event = LoggerFactory.getLogger(name == null ? "java" : name)
                .atLevel(level(record.getLevel()))
                .setMessage(FORMATTER.formatMessage(record));
        if (record.getThrown() != null) {
            event = event.setCause(record.getThrown());
        }
        event.log();
    }

    private static org.slf4j.event.Level level(Level level) {
        int value = level.intValue();
        return value >= Level.SEVERE.intValue()
                ? org.slf4j.event.Level.ERROR
                : value >= Level.WARNING.intValue() ? org.slf4j.event.Level.WARN : org.slf4j.event.Level.INFO;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
