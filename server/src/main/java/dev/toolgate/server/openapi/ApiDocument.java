package dev.toolgate.server.openapi;

import dev.toolgate.store.audit.record.AuditRecordSchema;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** The OpenAPI document, merged from its files: common parts and groups of operations. */
public final class ApiDocument {
    private static final String WHOLE = "openapi.yaml";
    private static final List<String> FAMILIES = List.of(
            "tools.yaml",
            "tools-schemas.yaml",
            "external-tools.yaml",
            "toolbackend.yaml",
            "backendtools.yaml",
            "sessions.yaml",
            "chat.yaml",
            "chat-schemas.yaml",
            "mcp.yaml",
            "mcp-servers.yaml",
            "approvals.yaml",
            "audit.yaml",
            "audit-schemas.yaml",
            "permissions.yaml",
            "permissions-schemas.yaml",
            "permission-review.yaml",
            "agents.yaml",
            "groups.yaml",
            "keys.yaml",
            "artifacts.yaml",
            "providers.yaml",
            "session.yaml",
            "console.yaml",
            "stream-events.yaml",
            "operation.yaml");

    private ApiDocument() {}

    /**
     * Reads the document.
     *
     * @param version the version of the server
     */
    public static ObjectNode read(String version) {
        YAMLMapper yaml = new YAMLMapper();
        ObjectNode document = file(yaml, WHOLE);
        document.withObject("/info").put("version", version);
        document.withObject("/components/schemas").set("AuditLog", AuditRecordSchema.schema());
        document.withObject("/components/schemas").set("AuditLogDetails", AuditRecordSchema.schemaWithUndo());
        FAMILIES.forEach(family -> file(yaml, family).forEachEntry((part, entries) -> join(document, part, entries)));
        PublishedSchemas.apply(document);
        return document;
    }

    /** The document as YAML. */
    public static String yaml(ObjectNode document) {
        return YAMLMapper.builder()
                .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
                .disable(YAMLWriteFeature.SPLIT_LINES)
                .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
                .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .build()
                .writeValueAsString(document);
    }

    private static ObjectNode file(YAMLMapper yaml, String name) {
        return (ObjectNode) yaml.readTree(DocumentFiles.bytes(name));
    }

    private static void join(ObjectNode document, String part, JsonNode entries) {
        ObjectNode into = document.withObject(part.equals("paths") ? "/paths" : "/components/" + part);
        entries.forEachEntry((name, entry) -> {
            if (into.has(name)) {
                throw new IllegalStateException("The API document has two " + part + " named " + name + ".");
            }
            into.set(name, entry);
        });
    }
}
