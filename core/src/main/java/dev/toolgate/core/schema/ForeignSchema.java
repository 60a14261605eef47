package dev.toolgate.core.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A third-party JSON Schema, such as that of an MCP server: draft-07, 2019-09 or 2020-12, without references to other
 * documents. Validation ends within a fixed number of steps for any schema and value. Formats are not checked, because
 * the author of the schema checks them.
 */
public final class ForeignSchema {
    private static final ExecutionConfig WITHOUT_FORMATS =
            ExecutionConfig.builder().formatAssertionsEnabled(false).build();
    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .regularExpressionFactory(MeteredPattern::compile)
            .preloadSchema(false)
            .build();

    private final Schema schema;

    /**
     * @throws IllegalArgumentException if it cannot be used; see {@link #problem}
     */
    public ForeignSchema(ObjectNode schema) {
        try {
            this.schema = load(schema);
        } catch (Unusable unusable) {
            throw new IllegalArgumentException("The schema " + unusable.problem() + ".", unusable);
        }
    }

    /** Why a schema cannot be used, as the end of a sentence that begins "The schema"; empty if it can. */
    public static Optional<String> problem(ObjectNode schema) {
        try {
            var _ = load(schema);
            return Optional.empty();
        } catch (Unusable unusable) {
            return Optional.of(unusable.problem());
        }
    }

    private static Schema load(ObjectNode schema) throws Unusable {
        Optional<String> problem = new SchemaReferences(schema).problem();
        if (problem.isPresent()) {
            throw new Unusable(problem.get());
        }
        ObjectNode copy = schema.deepCopy();
        copy.remove("$id"); // references begin with # and do not need it
        try {
            // A registry of its own: a registry remembers every schema it has ever seen.
            return SchemaRegistry.withDefaultDialect(
                            SpecificationVersion.DRAFT_2020_12,
                            registry -> registry.schemaRegistryConfig(CONFIG).schemaCacheEnabled(false))
                    .getSchema(copy);
        } catch (RuntimeException invalid) {
            // Of many kinds: the validator looks at a keyword only when it uses it.
            throw new Unusable("is not valid: " + SchemaReferences.shown(String.valueOf(invalid.getMessage())));
        }
    }

    /**
     * The errors of a value; empty if it is valid.
     *
     * @throws ValidationLimit if validation would take too long
     */
    List<Error> validate(JsonNode value) throws ValidationLimit {
        BoundedExecution execution = new BoundedExecution(WITHOUT_FORMATS);
        try {
            ScopedValue.where(BoundedExecution.CURRENT, execution).run(() -> schema.validate(execution, value));
            return execution.getErrors();
        } catch (BoundedExecution.Exhausted | StackOverflowError tooMuch) {
            throw new ValidationLimit("cannot be checked within the limits: the schema needs too many steps for it");
        } catch (SchemaException invalid) {
            throw new ValidationLimit("cannot be checked because the schema is not valid: " + invalid.getMessage());
        } catch (RuntimeException invalid) {
            throw new ValidationLimit("cannot be checked because the schema is not valid");
        }
    }

    /** A schema that cannot be used; the message is the end of a sentence. */
    private static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String message) {
            super(message, null, false, false);
        }

        String problem() {
            return String.valueOf(getMessage());
        }
    }

    /** A value that could not be validated; the message is the end of a sentence. */
    static final class ValidationLimit extends Exception {
        private static final long serialVersionUID = 1L;

        ValidationLimit(String message) {
            super(message, null, false, false);
        }
    }
}
