package dev.toolgate.server.door;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.NearestName;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.BadRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Names of tools as people write them. */
public final class ToolNameFields {
    public static final int LONGEST = 200;

    private final ToolCatalog catalog;

    public ToolNameFields(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    /** What is odd about granting this name: that no tool has it; empty if nothing is. */
    public Optional<String> warning(String name) {
        if (name.equals(ArtifactAccess.GRANT) || catalog.find(name).isPresent()) {
            return Optional.empty();
        }
        List<String> known = catalog.all().stream()
                .map(Tool::spec)
                .flatMap(spec -> Stream.concat(
                        Stream.of(spec.name()), spec.aliases().stream().map(Alias::name)))
                .toList();
        return Optional.of("No tool is called '" + name + "' at the moment; the nearest name is '"
                + NearestName.to(name, known) + "'.");
    }

    /**
     * The name grants are kept under; a name that no tool has at the moment stays as it is.
     *
     * @throws BadRequest if no tool can have this name
     */
    public String canonical(String name) {
        Refusals.ofForm(() -> TextFields.checkAs("A tool name", name, LONGEST));
        return catalog.find(name).map(tool -> tool.spec().name()).orElse(name);
    }
}
