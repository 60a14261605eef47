package dev.toolgate.server.tenant;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Optional;

/** One tool for everybody, which does its work with the caller's tenant's own. */
public final class PerTenantTool<A> implements Tool<A> {
    private final ToolSpec<A> spec;
    private final Chooser<A> chooser;

    /** Finds the tool of one tenant. */
    @FunctionalInterface
    public interface Chooser<A> {
        Tool<A> of(TenantId tenant) throws ToolFailure;
    }

    public PerTenantTool(ToolSpec<A> spec, Chooser<A> chooser) {
        this.spec = spec;
        this.chooser = chooser;
    }

    @Override
    public ToolSpec<A> spec() {
        return spec;
    }

    @Override
    public Output call(A arguments, ToolContext context) throws ToolFailure, InterruptedException {
        return chooser.of(context.call().caller().tenant()).call(arguments, context);
    }

    @Override
    public Optional<String> preview(A arguments, ToolContext context) throws ToolFailure, InterruptedException {
        return chooser.of(context.call().caller().tenant()).preview(arguments, context);
    }
}
