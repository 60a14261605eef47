package dev.toolgate.runtime.output;

import dev.toolgate.core.artifact.ArtifactIndex;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One row of the artifact index as a JSON file. */
final class ArtifactRowJson {
    static final String SUFFIX = ".json";

    private static final Logger LOG = LoggerFactory.getLogger(ArtifactRowJson.class);

    private ArtifactRowJson() {}

    static boolean isRow(Path file) {
        return file.toString().endsWith(SUFFIX);
    }

    static String write(ArtifactIndex.Row row) {
        StoredArtifact artifact = row.artifact();
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("uri", artifact.uri().toString());
        if (artifact.agent() != null) {
            json.put("agent", artifact.agent().value());
        }
        if (artifact.session() != null) {
            json.put("session", artifact.session().value());
        }
        if (artifact.principal() != null) {
            json.put("principal", artifact.principal());
        }
        if (artifact.request() != null) {
            json.put("request", artifact.request().value());
        }
        return json.put("kind", artifact.kind())
                .put("media_type", artifact.mediaType())
                .put("name", artifact.name())
                .put("size", artifact.size())
                .put("sha256", artifact.sha256())
                .put("created_at", artifact.createdAt().toString())
                .put("place", row.place())
                .toString();
    }

    /** The row in a file; empty if the file is gone or malformed. */
    static Optional<ArtifactIndex.Row> read(Path file) throws IOException {
        try {
            JsonNode json = Json.MAPPER.readTree(Files.readString(file));
            JsonNode agent = json.path("agent");
            JsonNode session = json.path("session");
            JsonNode principal = json.path("principal");
            JsonNode request = json.path("request");
            return ArtifactUri.parse(json.path("uri").asString(""))
                    .map(uri -> new ArtifactIndex.Row(
                            new StoredArtifact(
                                    uri,
                                    agent.isString() ? new AgentId(agent.stringValue()) : null,
                                    session.isString() ? new SessionId(session.stringValue()) : null,
                                    principal.isString() ? principal.stringValue() : null,
                                    request.isString() ? new RequestId(request.stringValue()) : null,
                                    json.path("kind").asString(""),
                                    json.path("media_type").asString(""),
                                    json.path("name").asString(""),
                                    json.path("size").asLong(0),
                                    json.path("sha256").asString(""),
                                    Instant.parse(json.path("created_at").asString(""))),
                            json.path("place").asString("")));
        } catch (NoSuchFileException removed) {
            return Optional.empty();
        } catch (JacksonException | DateTimeException damaged) {
            LOG.warn("An artifact's index file is malformed and is ignored: {}", file, damaged);
            return Optional.empty();
        }
    }
}
