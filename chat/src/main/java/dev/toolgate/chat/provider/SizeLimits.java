package dev.toolgate.chat.provider;

/**
 * Limits on what a model server may send.
 *
 * @param line bytes per line; must fit a complete tool call with escaped arguments
 * @param argument characters of the arguments of one tool call
 * @param answer characters of everything in one answer
 * @param toolCalls tool calls in one answer
 * @param document bytes of an answer that is not streamed, for example a list of models
 */
public record SizeLimits(int line, int argument, int answer, int toolCalls, int document) {
    private static final int MEGABYTE = 1024 * 1024;

    /** Far more than any model sends, far less than a server's memory. */
    public static final SizeLimits DEFAULT =
            new SizeLimits(20 * MEGABYTE, 8 * MEGABYTE, 32 * MEGABYTE, 128, 4 * MEGABYTE);
}
