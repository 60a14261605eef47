package dev.toolgate.server.operate.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.toolgate.core.redact.Redactor;
import java.util.Optional;

/** A format of log lines. */
interface LogLine {
    int MAX_LENGTH = 100_000;

    String of(ILoggingEvent event, Redactor redactor);

    static String message(ILoggingEvent event, Redactor redactor) {
        return clean(event.getFormattedMessage(), redactor);
    }

    /** The stack trace with all causes. */
    static Optional<String> exception(ILoggingEvent event, Redactor redactor) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return thrown == null ? Optional.empty() : Optional.of(clean(ThrowableProxyUtil.asString(thrown), redactor));
    }

    static String clean(String text, Redactor redactor) {
        String clean = redactor.clean(String.valueOf(text));
        return clean.length() <= MAX_LENGTH ? clean : clean.substring(0, MAX_LENGTH) + " …";
    }
}
