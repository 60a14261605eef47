package dev.toolgate.cli.chat;

import tools.jackson.databind.JsonNode;

/** How an answer ended. */
sealed interface AnswerEnd {

    /**
     * The answer is complete, or the user stopped it.
     *
     * @param messages the messages it adds to the history
     */
    record Answered(JsonNode messages, Extent extent) implements AnswerEnd {}

    /** Whether the answer is complete. */
    enum Extent {
        COMPLETE,
        STOPPED
    }

    /**
     * The answer failed.
     *
     * @param sentence what happened and what to do
     */
    record Failed(String sentence) implements AnswerEnd {}

    /**
     * The connection was lost.
     *
     * @param sentence what happened and what to do
     */
    record ConnectionLost(String sentence) implements AnswerEnd {}

    /** The user quit without waiting for the end. */
    record Abandoned() implements AnswerEnd {}
}
