package dev.toolgate.cli.terminal;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Answers as people or programs want them. */
public record ResultPrinter(PrintWriter out, Form form) {

    /** For whom. */
    public enum Form {
        TEXT,
        JSON
    }

    /**
     * Prints an answer as it came, or as this text.
     *
     * @throws IOException with one sentence if it could not be written
     */
    public void print(JsonNode answer, Supplier<String> text) throws IOException {
        out.println(
                switch (form) {
                    case JSON -> Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(answer);
                    case TEXT -> text.get();
                });
        StandardOutput.finish(out);
    }

    /**
     * Prints a list as it came, or as a table.
     *
     * @param none what to say instead of an empty table
     * @throws IOException with one sentence if it could not be written
     */
    public void print(JsonNode list, Columns columns, String none) throws IOException {
        print(list, () -> list.isEmpty() ? none : columns.table(list));
    }
}
