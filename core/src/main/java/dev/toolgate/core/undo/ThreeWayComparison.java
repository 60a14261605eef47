package dev.toolgate.core.undo;

/**
 * Compares the state before a call, the state it left and the current state.
 *
 * @param undo the difference from now to the state before the call
 * @param change the difference that the call made
 * @param since the difference from what the call left to now
 */
public record ThreeWayComparison(Standing standing, String undo, String change, String since) {

    /** What the undo would do, for approvers. */
    public String preview(String target) {
        return standing == Standing.UNCHANGED ? undo : standing.reason(target);
    }

    /** Whether the change can be undone now. */
    public enum Standing {
        /** Nothing has changed since, so it can be undone. */
        UNCHANGED,
        /** Something has changed since. */
        CHANGED,
        /** It is as it was before the call. */
        FORMER,
        /** The name refers to something else now. */
        ELSEWHERE;

        /** Compares the current state with both states of a change. */
        public static Standing of(KeptChange change, KeptState now) {
            if (now.isSameAs(change.kept().before())) {
                return FORMER;
            }
            return now.isSameAs(change.kept().after()) ? UNCHANGED : CHANGED;
        }

        /** Why the change cannot be undone. */
        public String reason(String target) {
            return switch (this) {
                case UNCHANGED -> "Nothing has changed '" + target + "' since the call";
                case CHANGED -> "'" + target + "' was changed after the call, so nothing was undone";
                case FORMER -> "'" + target + "' is already as it was before the call, so there is nothing to undo";
                case ELSEWHERE ->
                    "'" + target + "' leads to another place than at the time of the call, so nothing was undone";
            };
        }
    }
}
