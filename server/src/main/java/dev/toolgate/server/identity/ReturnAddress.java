package dev.toolgate.server.identity;

import java.util.regex.Pattern;

/**
 * The page of this server that a browser is redirected to after a log-in: a page of the console, or one where accounts
 * are connected. Only listed characters are allowed, so that no notation leads to another site: no host, no empty path
 * segment, no segment that begins with a dot, encoded or not.
 */
public final class ReturnAddress {
    public static final String HOME = "/console/";
    private static final int MAX_LENGTH = 1000;
    private static final String FIRST = "(?:[A-Za-z0-9_~:@+-]|%(?:2[0-9A-D]|[3-9A-F][0-9A-F]))";
    private static final String REST = "(?:[A-Za-z0-9._~:@+-]|%[2-9A-F][0-9A-F])*";
    private static final Pattern LOCAL =
            Pattern.compile("/(?:console|connect/mcp)(?:/" + FIRST + REST + ")*/?(?:\\?[A-Za-z0-9._~:@+=&,/*%-]*)?");

    private ReturnAddress() {}

    /** Whether an address is that of such a page. */
    public static boolean isLocal(String given) {
        return given.length() <= MAX_LENGTH && LOCAL.matcher(given).matches();
    }
}
