package dev.toolgate.client;

import java.util.List;
import java.util.Locale;

/** The gate refused a call; nothing ran. */
public class DeniedException extends ToolgateException {
    private final transient Outcome.Denied denied;

    /** The refusal as an exception. */
    public DeniedException(Outcome.Denied denied) {
        super(
                denied.violationType().toUpperCase(Locale.ROOT),
                denied.reason(),
                denied.suggestion(),
                false,
                denied.correlationId());
        this.denied = denied;
    }

    /** The refusal itself. */
    public Outcome.Denied denied() {
        return denied;
    }

    /** Why the call was refused. */
    public String reason() {
        return denied.reason();
    }

    /** The kind of refusal, such as {@code permission_denied}. */
    public String violationType() {
        return denied.violationType();
    }

    /** The tools that the agent may use. */
    public List<String> allowedTools() {
        return denied.allowedTools();
    }

    /** What to do instead. */
    public String suggestion() {
        return denied.suggestion();
    }
}
