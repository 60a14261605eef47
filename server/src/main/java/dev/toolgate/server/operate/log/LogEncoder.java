package dev.toolgate.server.operate.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.toolgate.core.redact.Redactor;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Encodes log events as lines and masks secrets, also in exceptions. */
public final class LogEncoder extends EncoderBase<ILoggingEvent> {
    private volatile LogLine line = new TextLine();
    private volatile @Nullable Redactor redactor;

    /** Sets the format: {@code json}, or text for anything else; called by the logging configuration. */
    public void setFormat(String format) {
        line = format.equalsIgnoreCase("json") ? new JsonLine() : new TextLine();
    }

    /** Sets the redactor. */
    public void setRedactor(Redactor newRedactor) {
        redactor = newRedactor;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return line.of(event, redactor()).getBytes(StandardCharsets.UTF_8);
    }

    // Created with the first line, because most commands log nothing.
    private Redactor redactor() {
        Redactor known = redactor;
        if (known == null) {
            known = Redactor.standard();
            redactor = known;
        }
        return known;
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
