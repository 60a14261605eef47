package dev.toolgate.cli.terminal;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Prints responses as text or JSON. */
public record ResultPrinter(PrintWriter out, Form form) {

    /** The output format. */
    public enum Form {
        TEXT,
        JSON
    }

    /**
     * Prints a response as JSON, or this text.
     *
     * @throws IOException if the output could not be written
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
     * Prints a list as JSON, or as a table.
     *
     * @param none the text for an empty list
     * @throws IOException if the output could not be written
     */
    public void print(JsonNode list, Columns columns, String none) throws IOException {
        print(list, () -> list.isEmpty() ? none : columns.table(list));
    }
}
