package dev.toolgate.cli.chat;

import tools.jackson.databind.JsonNode;

/** How an answer ended. */
sealed interface AnswerEnd {

    /**
     * It is all there, or it was stopped.
     *
     * @param messages what it adds to the history
     */
    record Said(JsonNode messages, Extent extent) implements AnswerEnd {}

    /** How much of it there is. */
    enum Extent {
        WHOLE,
        STOPPED
    }

    /**
     * It failed.
     *
     * @param sentence what happened and what to do
     */
    record Failed(String sentence) implements AnswerEnd {}

    /**
     * The connection is gone.
     *
     * @param sentence what happened and what to do
     */
    record Cut(String sentence) implements AnswerEnd {}

    /** The person does not want to wait for its end. */
    record Left() implements AnswerEnd {}
}
