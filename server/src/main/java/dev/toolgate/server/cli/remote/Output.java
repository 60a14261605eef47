package dev.toolgate.server.cli.remote;

import dev.toolgate.core.schema.Json;
import java.io.PrintWriter;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Answers as people or programs want them. */
record Output(PrintWriter out, Form form) {

    /** For whom. */
    enum Form {
        TEXT,
        JSON
    }

    /** Prints an answer as it came, or as this text. */
    void print(JsonNode answer, Supplier<String> text) {
        out.println(
                switch (form) {
                    case JSON -> Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(answer);
                    case TEXT -> text.get();
                });
        out.flush();
    }

    /**
     * Prints a list as it came, or as a table.
     *
     * @param none what to say instead of an empty table
     */
    void print(JsonNode list, Columns columns, String none) {
        print(list, () -> list.isEmpty() ? none : columns.table(list));
    }
}
