package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.artifact.ArtifactPosition;
import dev.toolgate.core.artifact.ArtifactRefused;
import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.FoundArtifact;
import dev.toolgate.core.artifact.NewArtifact;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.audit.AuditedChange;
import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Routes to store, list, read and delete the artifacts of a workspace. */
public final class ArtifactRoutes {
    private static final String REQUEST = "request_id";
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactRoutes.class);
    private static final String ALL = "/workspaces/{workspace_id}/artifacts";
    private static final String ONE = ALL + "/{artifact_id}";
    private static final String DELETE = "delete";
    private static final int DEFAULT_PAGE = 100;
    private static final int MAX_PAGE = 1000;

    private final ArtifactStore store;
    private final ArtifactReaders readers;
    private final ArtifactRecords records;
    private final ArtifactReads reads;

    /**
     * @param changes records uploads, deletions and reads by others
     */
    public ArtifactRoutes(ArtifactStore store, ArtifactAccess access, AuditedChanges changes) {
        this.store = store;
        this.readers = new ArtifactReaders(access);
        this.records = new ArtifactRecords(changes);
        this.reads = new ArtifactReads(store, readers, records);
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.post(ALL, RouteAccess.needs(Right.WRITE_ARTIFACTS), Dialect.STANDARD, this::store)
                        .withQuery("name", ArtifactReaders.SESSION)
                        .withSlashesIn("workspace_id")
                        .recorded(Recording.BY_ITSELF),
                Route.get(ALL, RouteAccess.needs(Right.LIST_ARTIFACTS), Dialect.STANDARD, this::list)
                        .withQuery("limit", "page", REQUEST, ArtifactReaders.SESSION)
                        .withSlashesIn("workspace_id"),
                Route.get(ONE, RouteAccess.needs(Right.READ_ARTIFACTS), Dialect.STANDARD, this::read)
                        .withQuery(ArtifactReaders.SESSION)
                        .withSlashesIn("workspace_id"),
                Route.delete(ONE, RouteAccess.needs(Right.WRITE_ARTIFACTS), Dialect.STANDARD, this::delete)
                        .withQuery(ArtifactReaders.SESSION)
                        .withSlashesIn("workspace_id")
                        .recorded(Recording.BY_ITSELF));
    }

    private Response store(Exchange exchange) {
        Principal principal = exchange.principal();
        if (exchange.announcedBytes() == 0 && exchange.header("Content-Type").isEmpty()) {
            throw new BadRequest("The request has no body; send a Content-Type to store an empty artifact.");
        }
        String mediaType = exchange.header("Content-Type").orElse(NewArtifact.UNKNOWN_TYPE);
        if (!NewArtifact.isMediaType(mediaType)) {
            throw new BadRequest("The header Content-Type must be a media type such as text/plain; charset=utf-8.");
        }
        NewArtifact facts = new NewArtifact(
                principal.tenant(),
                workspace(exchange),
                principal.agent(),
                readers.session(exchange, workspace(exchange)),
                principal.name(),
                null,
                "upload",
                mediaType,
                exchange.query().text("name").orElse(""));
        AuditedChange upload = records.begin(
                exchange,
                facts.workspace(),
                "upload",
                Json.MAPPER.createObjectNode().put("media_type", mediaType).put("name", facts.name()));
        StoredArtifact stored = write(exchange, facts, upload);
        recorded(upload, facts, stored);
        return new Response.Json(
                201,
                ArtifactAnswer.of(stored),
                Map.of("Location", "/" + stored.uri(), "ETag", "\"" + stored.sha256() + "\""));
    }

    private StoredArtifact write(Exchange exchange, NewArtifact facts, AuditedChange upload) {
        try (InputStream bytes = exchange.bytes()) {
            return store.write(facts, exchange.announcedBytes(), bytes);
        } catch (ArtifactRefused refused) {
            throw failed(upload, refusal(refused));
        } catch (IOException unstored) {
            LOG.warn("Storing an artifact failed", unstored);
            throw failed(
                    upload,
                    HttpFailure.of(
                            ErrorCode.WORKSPACE_UPLOAD_FAILED,
                            "The artifact could not be stored; nothing of it was kept."));
        } catch (HttpFailure wrong) {
            throw failed(upload, wrong);
        } catch (RuntimeException broken) {
            upload.failed(ErrorCode.INTERNAL_ERROR, "The upload failed unexpectedly; nothing of it was kept.");
            throw broken;
        }
    }

    // An artifact that is not recorded must not exist.
    private void recorded(AuditedChange upload, NewArtifact facts, StoredArtifact stored) {
        try {
            upload.done(ArtifactRecords.facts(stored), ArtifactRecords.summary(stored));
        } catch (RuntimeException unrecorded) {
            try {
                store.delete(facts.tenant(), stored.uri());
            } catch (IOException | RuntimeException stuck) {
                LOG.warn("Artifact {} is not recorded and could not be deleted", stored.uri(), stuck);
            }
            throw unrecorded;
        }
    }

    private static HttpFailure failed(AuditedChange change, HttpFailure failure) {
        change.failed(failure.code(), String.valueOf(failure.getMessage()));
        return failure;
    }

    private static HttpFailure refusal(ArtifactRefused refused) {
        String message = String.valueOf(refused.getMessage());
        return switch (refused.limit()) {
            case SIZE -> new HttpFailure(413, ErrorCode.INVALID_REQUEST, message);
            case QUOTA -> new HttpFailure(507, ErrorCode.WORKSPACE_UPLOAD_FAILED, message);
        };
    }

    private Response list(Exchange exchange) throws IOException {
        int limit = exchange.query().number("limit", 1, MAX_PAGE).orElse(DEFAULT_PAGE);
        WorkspaceId workspace = workspace(exchange);
        List<StoredArtifact> found = store.list(
                exchange.principal().tenant(),
                readers.reader(exchange, workspace),
                workspace,
                request(exchange),
                position(exchange),
                limit + 1);
        List<ArtifactAnswer> page =
                found.stream().limit(limit).map(ArtifactAnswer::of).toList();
        return new Response.Json(
                200,
                page,
                found.size() <= limit ? Map.of() : Map.of("Link", next(exchange, limit, found.get(limit - 1))));
    }

    private static String next(Exchange exchange, int limit, StoredArtifact last) {
        String one = last.uri().toString();
        String session = exchange.query()
                .text(ArtifactReaders.SESSION)
                .map(id -> "&" + ArtifactReaders.SESSION + "=" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                .orElse("");
        String request = exchange.query()
                .text(REQUEST)
                .map(id -> "&" + REQUEST + "=" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                .orElse("");
        return "</" + one.substring(0, one.lastIndexOf('/')) + "?limit=" + limit + session + request + "&page="
                + ArtifactPosition.of(last).token() + ">; rel=\"next\"";
    }

    private static @Nullable RequestId request(Exchange exchange) {
        try {
            return exchange.query().text(REQUEST).map(RequestId::new).orElse(null);
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(String.valueOf(wrong.getMessage()));
        }
    }

    private static @Nullable ArtifactPosition position(Exchange exchange) {
        try {
            return exchange.query().text("page").map(ArtifactPosition::parse).orElse(null);
        } catch (IllegalArgumentException malformed) {
            throw new BadRequest("The query parameter 'page' must come from the Link header of the page before.");
        }
    }

    private Response read(Exchange exchange) throws IOException {
        FoundArtifact found = found(exchange, ArtifactReads.READ);
        reads.recordRead(exchange.principal(), ArtifactRecords.context(exchange), found);
        try {
            return Download.of(exchange, found);
        } catch (NoSuchFileException deletedConcurrently) {
            throw absent();
        }
    }

    private Response delete(Exchange exchange) throws IOException {
        Principal principal = exchange.principal();
        StoredArtifact artifact = found(exchange, DELETE).facts();
        ObjectNode facts = ArtifactRecords.facts(artifact);
        if (principal.agent() != null && !principal.agent().equals(artifact.agent())) {
            String why = "An agent may delete only its own artifacts; this one belongs to another agent.";
            records.withoutIntent(exchange, workspace(exchange), DELETE, facts)
                    .refused(ErrorCode.PERMISSION_DENIED, why);
            throw HttpFailure.of(ErrorCode.PERMISSION_DENIED, why);
        }
        AuditedChange deletion = records.begin(exchange, workspace(exchange), DELETE, facts);
        boolean gone;
        try {
            gone = store.delete(principal.tenant(), artifact.uri());
        } catch (IOException | RuntimeException broken) {
            deletion.failed(ErrorCode.INTERNAL_ERROR, "The artifact could not be deleted.");
            throw broken;
        }
        if (!gone) {
            throw failed(deletion, absent());
        }
        deletion.done(facts, ArtifactRecords.summary(artifact));
        return Response.empty();
    }

    /** The artifact in the path, if the caller may see it; an attempt to reach another agent's artifact is recorded. */
    private FoundArtifact found(Exchange exchange, String operation) throws IOException {
        WorkspaceId workspace = workspace(exchange);
        ArtifactVisibility reader = readers.reader(exchange, workspace);
        ArtifactUri uri =
                ArtifactUri.of(workspace, exchange.path("artifact_id")).orElseThrow(ArtifactRoutes::absent);
        return reads.find(exchange.principal(), reader, ArtifactRecords.context(exchange), uri, operation)
                .orElseThrow(ArtifactRoutes::absent);
    }

    private static WorkspaceId workspace(Exchange exchange) {
        try {
            return new WorkspaceId(exchange.path("workspace_id"));
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(String.valueOf(wrong.getMessage()));
        }
    }

    private static HttpFailure absent() {
        return HttpFailure.notFound("There is no such artifact in this workspace.");
    }
}
