package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.ExternalTool;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Second stage: finds the tool by name and binds the JSON arguments to its record. */
public final class Bind implements Stage {
    private static final int MAX_DEPTH = 500;

    private final ToolCatalog catalog;
    private final Predicate<String> isAbsolutePath;
    private final Unregistered unregistered;

    /** How to treat calls of unregistered tools that their callers want to run themselves. */
    public enum Unregistered {
        /** There is no such tool. */
        UNKNOWN,
        /** It is a dangerous tool that takes any arguments; all other rules apply to it. */
        DANGEROUS
    }

    /** All tools must be registered. */
    public Bind(ToolCatalog catalog, Predicate<String> isAbsolutePath) {
        this(catalog, isAbsolutePath, Unregistered.UNKNOWN);
    }

    /**
     * @param isAbsolutePath whether a path is absolute on this platform
     */
    public Bind(ToolCatalog catalog, Predicate<String> isAbsolutePath, Unregistered unregistered) {
        this.catalog = catalog;
        this.isAbsolutePath = isAbsolutePath;
        this.unregistered = unregistered;
    }

    @Override
    public Optional<StageEnd> apply(CallProgress progress) {
        catalog.find(progress.call().caller().tenant(), progress.call().toolName())
                .or(() -> unregistered(progress.call()))
                .flatMap(tool -> form(tool, progress.call()))
                .ifPresent(tool -> {
                    progress.found(tool);
                    bind(tool, progress);
                });
        return Optional.empty(); // errors are reported in 'decide', to callers that may use the tool
    }

    private static Optional<Tool<?>> form(Tool<?> tool, Call call) {
        return call.context().undoes() == null ? Optional.of(tool) : tool.undo();
    }

    private Optional<Tool<?>> unregistered(Call call) {
        return switch (unregistered) {
            case UNKNOWN -> Optional.empty();
            case DANGEROUS ->
                call.permitFor() == null ? Optional.empty() : Optional.of(ExternalTool.unregistered(call.toolName()));
        };
    }

    private <A> void bind(Tool<A> tool, CallProgress progress) {
        Call call = progress.call();
        if (isDeeperThan(MAX_DEPTH, call.arguments())) {
            progress.rejectArguments(invalid("The arguments are nested deeper than " + MAX_DEPTH + " levels."));
            return;
        }
        Optional<Alias> alias = tool.spec().alias(call.toolName());
        ObjectNode arguments = tool.spec().complete(call.toolName(), call.arguments());
        Optional<String> complaint = tool.spec()
                .arguments()
                .validate(arguments)
                .or(() -> alias.flatMap(known -> relativePath(arguments, known)));
        if (complaint.isPresent()) {
            progress.rejectArguments(invalid(complaint.get()));
            return;
        }
        try {
            progress.bound(
                    new CallProgress.Bound<>(tool, tool.spec().arguments().decode(arguments)));
        } catch (JacksonException unreadable) {
            progress.rejectArguments(
                    invalid("The arguments could not be read: " + unreadable.getOriginalMessage() + "."));
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

    private static Failure invalid(String message) {
        return Failure.of(ErrorCode.INVALID_REQUEST, message);
    }
}
