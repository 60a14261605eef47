package dev.toolgate.store.audit.record;

import java.io.BufferedWriter;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Streams records as comma-separated values (RFC 4180). A cell that a spreadsheet would
 * treat as a formula is prefixed with an apostrophe, so that data sent by agents is not executed.
 */
public final class AuditCsv implements Consumer<AuditRecord>, Flushable {
    // Also the full-width forms, which some spreadsheets treat the same.
    private static final Pattern FORMULA = Pattern.compile("^[\\s\\p{Cntrl}]*[=+\\-@＝＋－＠]|^[\\t\\r\\n]");
    private static final Pattern TO_QUOTE = Pattern.compile("[\",\\r\\n]");

    private final Writer out;

    /** Writes the header line; throws {@link UncheckedIOException} if the stream cannot be written. */
    public AuditCsv(OutputStream out) {
        this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 64 * 1024);
        write(String.join(",", AuditRecordJson.NAMES));
    }

    /** Throws {@link UncheckedIOException} if the stream cannot be written. */
    @Override
    public void accept(AuditRecord record) {
        JsonNode node = AuditRecordJson.write(record);
        StringBuilder line = new StringBuilder();
        for (String column : AuditRecordJson.NAMES) {
            line.append(line.isEmpty() ? "" : ",").append(cell(node.required(column)));
        }
        write(line.toString());
    }

    private static String cell(JsonNode value) {
        if (value.isNull()) {
            return "";
        }
        if (!value.isString()) {
            return quoted(value.toString());
        }
        String text = value.stringValue();
        return quoted(FORMULA.matcher(text).find() ? "'" + text : text);
    }

    private static String quoted(String text) {
        return TO_QUOTE.matcher(text).find() ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private void write(String line) {
        try {
            out.write(line);
            out.write("\r\n");
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
