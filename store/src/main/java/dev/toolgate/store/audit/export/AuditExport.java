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
 * Exports chains as JSON lines: the range of each chain, the claims of anchors, then every record
 * and anchor. Such a file can be verified without the database.
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
     * Streams all chains of all tenants; does not close the stream.
     *
     * @return the number of records
     */
    public long write(OutputStream out, Form form) throws IOException {
        try {
            return queries.chains(chains -> write(chains, out, form));
        } catch (UncheckedIOException gone) {
            throw gone.getCause();
        }
    }

    /** Throws {@link UncheckedIOException} if the stream cannot be written. */
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
     * Verifies an export, compressed or not.
     *
     * @throws IOException with a one-sentence message, if it cannot be read or is not an export
     */
    public static AuditChain.Report verify(InputStream export) throws IOException {
        return verify(export, KnownCheckpoints.none());
    }

    /** The same, and compares it with signed checkpoints, which must not be newer than the export. */
    public static AuditChain.Report verify(InputStream export, KnownCheckpoints checkpoints) throws IOException {
        try (ExportReader reader = new ExportReader(plain(export))) {
            return AuditChain.verify(reader.chains(), checkpoints);
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        } catch (JacksonException unreadable) {
            throw new IOException("The file is not an audit export or is damaged; export it again.", unreadable);
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
