package dev.toolgate.chat.provider;

/**
 * How much a model server may send.
 *
 * @param line bytes of one line; a provider that sends a call whole needs room for its escaped arguments
 * @param argument characters of the arguments of one tool call
 * @param answer characters of everything in one answer
 * @param toolCalls tool calls in one answer
 * @param document bytes of an answer that is not streamed, for example a list of models
 */
public record SizeLimits(int line, int argument, int answer, int toolCalls, int document) {
    private static final int MEGABYTE = 1024 * 1024;

    /** Far more than any model sends, far less than a server has. */
    public static final SizeLimits USUAL =
            new SizeLimits(20 * MEGABYTE, 8 * MEGABYTE, 32 * MEGABYTE, 128, 4 * MEGABYTE);
}
