package dev.toolgate.store.audit.record;

import java.io.BufferedOutputStream;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Streams records as JSON lines. */
public final class AuditJsonLines implements Consumer<AuditRecord>, Flushable {
    private static final int BUFFER = 64 * 1024;

    private final OutputStream out;

    public AuditJsonLines(OutputStream out) {
        this.out = new BufferedOutputStream(out, BUFFER);
    }

    /** Throws {@link UncheckedIOException} if the stream cannot be written. */
    @Override
    public void accept(AuditRecord record) {
        line(AuditRecordJson.write(record));
    }

    public void line(JsonNode node) {
        try {
            out.write(node.toString().getBytes(StandardCharsets.UTF_8));
            out.write('\n');
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
