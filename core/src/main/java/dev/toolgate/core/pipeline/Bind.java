package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Second stage: from a name and some JSON to a tool and the arguments it asked for. */
public final class Bind implements Stage {
    private static final int DEEPEST = 500;

    private final ToolCatalog catalog;
    private final Predicate<String> isAbsolutePath;

    /**
     * @param isAbsolutePath what an absolute path looks like on this platform
     */
    public Bind(ToolCatalog catalog, Predicate<String> isAbsolutePath) {
        this.catalog = catalog;
        this.isAbsolutePath = isAbsolutePath;
    }

    @Override
    public Optional<StageEnd> apply(Passage passage) {
        catalog.find(passage.call().toolName()).ifPresent(tool -> {
            passage.found(tool);
            bind(tool, passage);
        });
        return Optional.empty(); // what is wrong is said in 'decide', to those who may use the tool
    }

    private <A> void bind(Tool<A> tool, Passage passage) {
        Call call = passage.call();
        if (isDeeperThan(DEEPEST, call.arguments())) {
            passage.unfit(misfit("The arguments are nested deeper than " + DEEPEST + " levels."));
            return;
        }
        Optional<Alias> alias = tool.spec().alias(call.toolName());
        ObjectNode arguments = tool.spec().complete(call.toolName(), call.arguments());
        Optional<String> complaint = tool.spec()
                .arguments()
                .complaint(arguments)
                .or(() -> alias.flatMap(known -> relativePath(arguments, known)));
        if (complaint.isPresent()) {
            passage.unfit(misfit(complaint.get()));
            return;
        }
        try {
            passage.bound(new Passage.Bound<>(tool, tool.spec().arguments().decode(arguments)));
        } catch (JacksonException unreadable) {
            passage.unfit(misfit("The arguments could not be read: " + unreadable.getOriginalMessage() + "."));
        }
    }

    private static boolean isDeeperThan(int levels, JsonNode value) {
        if (levels == 0) {
            return true;
        }
        for (JsonNode inner : value) {
            if (inner.isContainer() && isDeeperThan(levels - 1, inner)) {
                return true;
            }
        }
        return false;
    }

    private Optional<String> relativePath(ObjectNode arguments, Alias alias) {
        for (String field : alias.absolutePaths()) {
            JsonNode path = arguments.path(field);
            if (path.isString() && !isAbsolutePath.test(path.stringValue())) {
                return Optional.of("Field '" + field + "' must be an absolute path.");
            }
        }
        return Optional.empty();
    }

    private static Failure misfit(String message) {
        return Failure.of(ErrorCode.INVALID_REQUEST, message);
    }
}
