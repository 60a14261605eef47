package dev.toolgate.server.operate.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.server.config.LogSettings;
import org.slf4j.LoggerFactory;

/** Applies the log settings to this process. */
public final class Logging {
    private Logging() {}

    /** Applies level and format from the settings, and the redactor. */
    public static void apply(LogSettings settings, Redactor redactor) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            apply(context, settings, redactor);
            JavaLogging.redirect();
        }
    }

    static void apply(LoggerContext context, LogSettings settings, Redactor redactor) {
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.valueOf(settings.level().name()));
        root.iteratorForAppenders().forEachRemaining(appender -> {
            if (appender instanceof OutputStreamAppender<ILoggingEvent> stream
                    && stream.getEncoder() instanceof LogEncoder encoder) {
                encoder.setFormat(settings.format().name());
                encoder.setRedactor(redactor);
            }
        });
    }
}
