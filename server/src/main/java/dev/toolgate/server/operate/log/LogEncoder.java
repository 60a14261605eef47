package dev.toolgate.server.operate.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.toolgate.core.redact.Redactor;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Turns what is logged into lines, and takes out what looks like a secret, exceptions included. */
public final class LogEncoder extends EncoderBase<ILoggingEvent> {
    private volatile LogLine line = new TextLine();
    private volatile @Nullable Redactor redactor;

    /** Chooses {@code json} or, for anything else, text; called by the logging configuration. */
    public void setFormat(String format) {
        line = format.equalsIgnoreCase("json") ? new JsonLine() : new TextLine();
    }

    /** Chooses what counts as a secret. */
    public void setRedactor(Redactor newRedactor) {
        redactor = newRedactor;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return line.of(event, redactor()).getBytes(StandardCharsets.UTF_8);
    }

    // Made for the first line only, because most command lines end without one.
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
