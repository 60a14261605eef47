package dev.toolgate.store.external;

import dev.toolgate.core.schema.ForeignSchema;
import dev.toolgate.core.tool.Danger;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool that its callers run, registered by an operator.
 *
 * @param inputSchema the JSON Schema of its arguments
 */
public record ExternalDefinition(
        String name, String description, ObjectNode inputSchema, String capability, Danger danger) {
    /** The maximum length of a schema. */
    public static final int MAX_SCHEMA_LENGTH = 32 * 1024;

    // Without slashes, which separate the name of an MCP server from that of its tool.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}");
    private static final Pattern CAPABILITY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}");
    private static final int MAX_DESCRIPTION_LENGTH = 2000;

    /** Validates all parts; the message of the exception is for the operator who registers the tool. */
    public ExternalDefinition {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "The name of an external tool must be 1 to 128 letters, digits, '_', '.', ':' or '-', and begin with a"
                            + " letter or digit.");
        }
        if (description.isBlank() || description.length() > MAX_DESCRIPTION_LENGTH || description.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "Field 'description' must be 1 to " + MAX_DESCRIPTION_LENGTH + " characters.");
        }
        if (!CAPABILITY.matcher(capability).matches()) {
            throw new IllegalArgumentException(
                    "Field 'capability' must be 1 to 100 letters, digits, '_', '.', ':' or '-', for example"
                            + " 'External.Call'.");
        }
        if (inputSchema.toString().length() > MAX_SCHEMA_LENGTH) {
            throw new IllegalArgumentException(
                    "Field 'input_schema' must be at most " + MAX_SCHEMA_LENGTH + " characters.");
        }
        ForeignSchema.problem(inputSchema).ifPresent(problem -> {
            throw new IllegalArgumentException("Field 'input_schema' " + problem + ".");
        });
        inputSchema = inputSchema.deepCopy();
    }

    /** Whether an external tool can have this name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
