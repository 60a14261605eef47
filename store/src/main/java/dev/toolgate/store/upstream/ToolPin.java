package dev.toolgate.store.upstream;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tool of an MCP server: the definition that a person has agreed to, and the one that waits for approval.
 *
 * @param agreed null if none was agreed to
 * @param waiting the definition that the server offers now, if it differs
 */
public record ToolPin(
        String tool,
        State state,
        @Nullable PinnedDefinition agreed,
        @Nullable String agreedBy,
        @Nullable Instant agreedAt,
        @Nullable PinnedDefinition waiting,
        @Nullable Instant waitingSince,
        @Nullable String refusedBy) {

    /** Whether a tool can be used. Only an agreed one can. */
    public enum State {
        AGREED,
        /** Offered for the first time; not agreed to yet. */
        NEW,
        /** Offered with another definition than the agreed one. */
        CHANGED,
        /** A person has refused the definition that is offered. */
        REFUSED,
        /** The server no longer offers it. */
        GONE;

        /** The name as it is stored and sent. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The definition that agents may use; empty unless it is agreed. */
    public Optional<PinnedDefinition> usable() {
        return state == State.AGREED ? Optional.ofNullable(agreed) : Optional.empty();
    }

    static ToolPin agreed(PinnedDefinition definition, String by, Instant at) {
        return new ToolPin(definition.tool(), State.AGREED, definition, by, at, null, null, null);
    }

    static ToolPin found(PinnedDefinition definition, Instant at) {
        return new ToolPin(definition.tool(), State.NEW, null, null, null, definition, at, null);
    }

    /** The new state when the server offers this definition. */
    ToolPin offered(PinnedDefinition definition, Instant at) {
        if (agreed != null && agreed.hash().equals(definition.hash())) {
            return new ToolPin(tool, State.AGREED, agreed, agreedBy, agreedAt, null, null, null);
        }
        if (waiting != null && waiting.hash().equals(definition.hash())) {
            return this;
        }
        State next = agreed == null ? State.NEW : State.CHANGED;
        return new ToolPin(tool, next, agreed, agreedBy, agreedAt, definition, at, null);
    }

    /** The new state when the server no longer offers it; empty if it was never agreed to. */
    Optional<ToolPin> withdrawn() {
        return agreed == null
                ? Optional.empty()
                : Optional.of(new ToolPin(tool, State.GONE, agreed, agreedBy, agreedAt, null, null, null));
    }

    /** The new state when a person agrees to the definition with this hash; empty if another one waits. */
    Optional<ToolPin> agreedTo(String hash, String by, Instant at) {
        return waiting != null && waiting.hash().equals(hash) ? Optional.of(agreed(waiting, by, at)) : Optional.empty();
    }

    /** The new state when a person refuses the definition with this hash; empty if the server does not offer it. */
    Optional<ToolPin> refusedTo(String hash, String by, Instant at) {
        if (waiting != null && waiting.hash().equals(hash)) {
            return Optional.of(new ToolPin(tool, State.REFUSED, agreed, agreedBy, agreedAt, waiting, waitingSince, by));
        }
        if (state == State.AGREED && agreed != null && agreed.hash().equals(hash)) {
            return Optional.of(new ToolPin(tool, State.REFUSED, null, null, null, agreed, at, by));
        }
        return Optional.empty();
    }
}
