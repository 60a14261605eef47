package dev.toolgate.core.undo;

/**
 * A change made by a call, kept so that it can be undone.
 *
 * @param tool the canonical name of the tool
 * @param target what was changed, as the call named it: a path or a key
 * @param place its real location, with links resolved
 */
public record KeptChange(String tool, Subject subject, String target, String place, States states) {

    /** The states on both sides of the change, or why they are not kept. */
    public sealed interface States {}

    /** Both states. */
    public record Kept(KeptState before, KeptState after) implements States {}

    /**
     * They are not kept.
     *
     * @param why a sentence without its full stop
     */
    public record NotKept(String why) implements States {}

    /** Both states, which must be kept. */
    public Kept kept() {
        if (states instanceof Kept kept) {
            return kept;
        }
        throw new IllegalStateException("The states of this change are not kept.");
    }

    /** The same change without its states. */
    public KeptChange without(String why) {
        return new KeptChange(tool, subject, target, place, new NotKept(why));
    }
}
