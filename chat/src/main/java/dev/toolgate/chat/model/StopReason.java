package dev.toolgate.chat.model;

/** Why a model stopped. */
public enum StopReason {
    /** It has said all it wanted to say. */
    FINISHED,
    /** It wants to use tools. */
    TOOL_CALLS,
    /** It ran into the limit of its tokens. */
    LENGTH,
    /** It wanted to use tools more often than one answer may, and had to answer without. */
    TURN_LIMIT,
    /** The provider would not let it go on. */
    REFUSED,
    /** The provider gave a reason of its own, or none. */
    OTHER
}
