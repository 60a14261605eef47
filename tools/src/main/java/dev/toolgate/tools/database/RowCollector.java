package dev.toolgate.tools.database;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.output.ArtifactRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects rows within the limits: some for the text, all of them as CSV. */
final class RowCollector implements RowReader, AutoCloseable {
    private final int maxRows;
    private final long maxBytes;
    private final int shownBytes;
    private final Redactor redactor;
    private final CsvFile csv;
    private final List<String> columns = new ArrayList<>();
    private final List<List<@Nullable Object>> shown = new ArrayList<>();
    private final List<List<String>> shownTexts = new ArrayList<>();
    private int rowCount;
    private boolean cut;

    /**
     * @param shownBytes how much is included in the text; the rest is only in the CSV
     * @param redactor redacts the password of the connection in values
     */
    RowCollector(int maxRows, long maxBytes, int shownBytes, Path folder, Redactor redactor) {
        this.maxRows = maxRows;
        this.maxBytes = maxBytes;
        this.shownBytes = shownBytes;
        this.redactor = redactor;
        this.csv = new CsvFile(folder);
    }

    @Override
    public void columns(List<String> names) throws ToolFailure {
        columns.addAll(names);
        write(CsvFile.line(names));
    }

    @Override
    public Next row(List<@Nullable Object> cells) throws ToolFailure {
        List<@Nullable Object> clean = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (Object cell : cells) {
            Object hidden = cell instanceof String text ? redactor.hideKnown(text) : cell;
            clean.add(hidden);
            texts.add(hidden == null ? "" : hidden.toString());
        }
        byte[] line = CsvFile.line(texts);
        if (rowCount == maxRows || csv.size() + line.length > maxBytes) {
            cut = true;
            return Next.ENOUGH;
        }
        rowCount++;
        write(line);
        if (csv.size() <= shownBytes) {
            shown.add(clean);
            shownTexts.add(texts);
        }
        return Next.MORE;
    }

    private void write(byte[] line) throws ToolFailure {
        try {
            csv.write(line);
        } catch (IOException full) {
            throw new ToolFailure(
                    ErrorCode.WORKSPACE_UPLOAD_FAILED, "The rows could not be written to a file: " + full.getMessage());
        }
    }

    Output output(String connection) throws ToolFailure {
        boolean truncated = cut || shown.size() < rowCount;
        Optional<Artifact> artifact = artifact();
        StringBuilder text = new StringBuilder(TextTable.of(columns, shownTexts));
        text.append('(').append(rowCount).append(rowCount == 1 ? " row)" : " rows)");
        if (shown.size() < rowCount) {
            text.append("\n[Only the first ").append(shown.size()).append(" are shown; all are in the CSV artifact.]");
        }
        if (cut) {
            text.append("\n[Truncated: there are more rows than the limit of ")
                    .append(rowCount == maxRows ? maxRows + " rows" : maxBytes + " bytes")
                    .append(" permits; query fewer.]");
        }
        return Output.of(text.toString(), new CloudDbQueryTool.Result(columns, shown, rowCount, truncated))
                .with(Map.of("connectionName", connection, "rowCount", rowCount, "truncated", truncated))
                .withArtifacts(artifact.stream().toList());
    }

    private Optional<Artifact> artifact() throws ToolFailure {
        try {
            return csv.take().map(content -> ArtifactRule.COMMAND_OUTPUT.keep("result.csv", "text/csv", content));
        } catch (IOException unreadable) {
            throw new ToolFailure(
                    ErrorCode.WORKSPACE_UPLOAD_FAILED,
                    "The rows could not be stored as an artifact: " + unreadable.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            csv.close();
        } catch (IOException busy) {
            // The folder is cleared at the next start.
        }
    }
}
