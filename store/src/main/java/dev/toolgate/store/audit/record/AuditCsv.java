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
 * Writes records as comma-separated values (RFC 4180), as they come. A cell that a spreadsheet would
 * take for a formula begins with an apostrophe instead: what agents send must not run where people read.
 */
public final class AuditCsv implements Consumer<AuditRecord>, Flushable {
    // Also in full width, which some spreadsheets read alike.
    private static final Pattern FORMULA = Pattern.compile("^[\\s\\p{Cntrl}]*[=+\\-@＝＋－＠]|^[\\t\\r\\n]");
    private static final Pattern TO_QUOTE = Pattern.compile("[\",\\r\\n]");

    private final Writer out;

    /** Begins with a line of column names; throws {@link UncheckedIOException} if nobody takes it. */
    public AuditCsv(OutputStream out) {
        this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 64 * 1024);
        write(String.join(",", AuditRecordJson.NAMES));
    }

    /** Throws {@link UncheckedIOException} if nobody takes it. */
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
