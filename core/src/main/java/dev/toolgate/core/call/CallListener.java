package dev.toolgate.core.call;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Hears how a call is getting on while it has not ended. Called from one thread at a time, which waits meanwhile. */
@FunctionalInterface
public interface CallListener {
    /** Nobody is listening. */
    CallListener NOBODY = chunk -> {};

    /** Takes the next piece of output; whole characters only. */
    void onChunk(OutputChunk chunk);

    /** A person is asked, and the call waits for the answer. */
    default void onHeld(Question question) {}

    /** Nothing stands in its way any more: the tool begins. */
    default void onStart() {}

    /**
     * What a person is asked; free of secrets.
     *
     * @param id under which people find it
     * @param preview what would happen, if the tool can say
     */
    record Question(
            UUID id,
            Instant expiresAt,
            String reason,
            @Nullable String preview) {}
}
