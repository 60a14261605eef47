package dev.toolgate.store.audit.export;

import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.audit.chain.Chains;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import tools.jackson.core.JacksonException;

/**
 * Chains as JSON lines: where each begins and ends, what anchors claim about them, then every record
 * and anchor. Such a file can be verified by itself, without the database it came from.
 */
public final class AuditExport {
    private static final int BUFFER = 64 * 1024;
    private static final int GZIP_FIRST_BYTE = 0x1f;
    private static final int GZIP_SECOND_BYTE = 0x8b;

    private final AuditQueries queries;
    private final Clock clock;

    public AuditExport(AuditQueries queries, Clock clock) {
        this.queries = queries;
        this.clock = clock;
    }

    /** Whether an export is compressed. */
    public enum Form {
        PLAIN,
        GZIP
    }

    /**
     * Writes all chains of all tenants, a few entries at a time in memory; the stream stays open.
     *
     * @return how many records there were
     */
    public long write(OutputStream out, Form form) throws IOException {
        try {
            return queries.chains(chains -> write(chains, out, form));
        } catch (UncheckedIOException gone) {
            throw gone.getCause();
        }
    }

    /** Throws {@link UncheckedIOException} if nobody takes it. */
    public long write(Chains chains, OutputStream out, Form form) {
        try {
            if (form == Form.PLAIN) {
                return new ExportWriter(out).write(chains, clock.instant());
            }
            GZIPOutputStream compressed = new GZIPOutputStream(out, BUFFER);
            long records = new ExportWriter(compressed).write(chains, clock.instant());
            compressed.finish();
            return records;
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /**
     * Whether an export, compressed or not, is exactly what was written.
     *
     * @throws IOException with one sentence, if it cannot be read or is no export
     */
    public static AuditChain.Report verify(InputStream export) throws IOException {
        return verify(export, KnownCheckpoints.none());
    }

    /** The same, and whether it is what signed checkpoints say that are not younger than the export. */
    public static AuditChain.Report verify(InputStream export, KnownCheckpoints checkpoints) throws IOException {
        try (ExportReader reader = new ExportReader(plain(export))) {
            return AuditChain.verify(reader.chains(), checkpoints);
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        } catch (JacksonException unreadable) {
            throw new IOException("The file is not an audit export, or it is damaged.", unreadable);
        }
    }

    private static InputStream plain(InputStream export) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(export, BUFFER);
        buffered.mark(2);
        boolean compressed = buffered.read() == GZIP_FIRST_BYTE && buffered.read() == GZIP_SECOND_BYTE;
        buffered.reset();
        return compressed ? new GZIPInputStream(buffered, BUFFER) : buffered;
    }
}
