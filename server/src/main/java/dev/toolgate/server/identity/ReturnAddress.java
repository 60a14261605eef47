package dev.toolgate.server.identity;

import java.util.regex.Pattern;

/**
 * The page of this server that a browser goes on with after a log-in: one of the console, or where accounts are connected. What
 * it may consist of is listed, so that no way of writing an address leads to another site: no host, no empty part of a path, no
 * part that begins with a dot however it is written.
 */
public final class ReturnAddress {
    public static final String HOME = "/console/";
    private static final int MAX_LENGTH = 1000;
    private static final String FIRST = "(?:[A-Za-z0-9_~:@+-]|%(?:2[0-9A-D]|[3-9A-F][0-9A-F]))";
    private static final String REST = "(?:[A-Za-z0-9._~:@+-]|%[2-9A-F][0-9A-F])*";
    private static final Pattern LOCAL =
            Pattern.compile("/(?:console|connect/mcp)(?:/" + FIRST + REST + ")*/?(?:\\?[A-Za-z0-9._~:@+=&,/*%-]*)?");

    private ReturnAddress() {}

    /** Whether an address is one of these pages. */
    public static boolean isLocal(String given) {
        return given.length() <= MAX_LENGTH && LOCAL.matcher(given).matches();
    }
}
