package dev.toolgate.core.undo;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.IOException;
import java.util.Optional;

/** Keeps the changes that calls make, so that they can be undone. */
public interface KeptChanges {
    /** Content up to this size is kept, before and after a change each. */
    int MAX_BYTES = 1 << 20;

    /** Keeps nothing. */
    KeptChanges NONE = new KeptChanges() {
        @Override
        public boolean isEnabled() {
            return false;
        }

        @Override
        public Entry keep(Call call, KeptChange change) {
            return Entry.NOTHING;
        }

        @Override
        public Optional<KeptChange> find(TenantId tenant, AgentId agent, String uri) {
            return Optional.empty();
        }

        @Override
        public Optional<Found> ofCall(
                TenantId tenant, WorkspaceId workspace, AgentId agent, RequestId request, String tool) {
            return Optional.empty();
        }
    };

    /** Whether changes are kept; if not, there is no need to read former states. */
    boolean isEnabled();

    /** Keeps the change of a call. If that fails, the call still runs, but its change cannot be undone. */
    Entry keep(Call call, KeptChange change);

    /** A change kept for this agent; empty if there is none, or it is no longer kept. */
    Optional<KeptChange> find(TenantId tenant, AgentId agent, String uri) throws IOException;

    /**
     * The change of a recorded call; empty if there is none, it is no longer kept, or there are several.
     *
     * @param tool the canonical name of the tool
     */
    Optional<Found> ofCall(TenantId tenant, WorkspaceId workspace, AgentId agent, RequestId request, String tool)
            throws IOException;

    /** A kept change and its address. */
    record Found(String uri, KeptChange change) {}

    /** A change that was kept just now. */
    @FunctionalInterface
    interface Entry {
        /** Nothing was kept. */
        Entry NOTHING = () -> {};

        /** The change was not made after all. */
        void discard();
    }
}
