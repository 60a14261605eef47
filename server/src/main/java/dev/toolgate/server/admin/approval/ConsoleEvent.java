package dev.toolgate.server.admin.approval;

import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.server.operate.health.HealthReport;
import dev.toolgate.store.heldcall.ApprovalEvent;

/** Something that a page of the console shows has changed. */
sealed interface ConsoleEvent {

    /** An approval request was opened or answered. */
    record Approval(ApprovalEvent event) implements ConsoleEvent {}

    /** The permissions of the tenant have this version. */
    record Permissions(long version) implements ConsoleEvent {}

    /** The server and its parts are in this state. */
    record ServerState(HealthReport report) implements ConsoleEvent {}

    /** The client missed events that are not repeated, so it has to reload everything. */
    record Reset() implements ConsoleEvent {}

    /** Whether a principal may see it. */
    default boolean isFor(Principal reader) {
        return switch (this) {
            case Approval approval ->
                ApprovalVisibility.maySee(reader, approval.event().request());
            case Permissions permissions -> reader.may(Right.READ_PERMISSIONS);
            case ServerState state -> true; // as on the open route /health
            case Reset reset -> true;
        };
    }
}
