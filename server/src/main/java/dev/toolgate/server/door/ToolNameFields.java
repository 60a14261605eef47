package dev.toolgate.server.door;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.NearestName;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.BadRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Validates and resolves tool names in requests of a tenant. */
public record ToolNameFields(ToolCatalog catalog, TenantId tenant) {
    public static final int MAX_LENGTH = 200;

    /** A warning if no tool has this name. */
    public Optional<String> warning(String name) {
        if (name.equals(ArtifactAccess.GRANT) || catalog.find(tenant, name).isPresent()) {
            return Optional.empty();
        }
        List<String> known = catalog.all(tenant).stream()
                .map(Tool::spec)
                .flatMap(spec -> Stream.concat(
                        Stream.of(spec.name()), spec.aliases().stream().map(Alias::name)))
                .toList();
        return Optional.of(
                "There is no tool '" + name + "'; the nearest name is '" + NearestName.to(name, known) + "'.");
    }

    /**
     * The canonical name, which grants are stored under; an unknown name stays as it is.
     *
     * @throws BadRequest if no tool can have this name
     */
    public String canonical(String name) {
        FailureMapping.invalidAsBadRequest(() -> TextFields.checkAs("A tool name", name, MAX_LENGTH));
        return catalog.find(tenant, name).map(tool -> tool.spec().name()).orElse(name);
    }
}
