package dev.toolgate.chat.model;

/** Why a model stopped. */
public enum StopReason {
    /** It finished. */
    FINISHED,
    /** It wants to use tools. */
    TOOL_CALLS,
    /** It reached its token limit. */
    LENGTH,
    /** It reached the limit of tool turns and had to answer without tools. */
    TURN_LIMIT,
    /** The provider stopped it. */
    REFUSED,
    /** Another reason, or none given. */
    OTHER
}
