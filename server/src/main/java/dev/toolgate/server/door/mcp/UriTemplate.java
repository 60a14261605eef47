package dev.toolgate.server.door.mcp;

/** Matches URIs against URI templates, only as precisely as needed to find the server of a URI. */
final class UriTemplate {
    private UriTemplate() {}

    /** Whether a URI consists of the template's fixed parts in their order, with any text for each expression. */
    static boolean fits(String template, String uri) {
        int at = 0;
        int from = 0;
        boolean anything = false;
        while (from <= template.length()) {
            int open = template.indexOf('{', from);
            String fixed = template.substring(from, open < 0 ? template.length() : open);
            int found = anything ? indexOf(uri, fixed, at, open < 0) : uri.startsWith(fixed, at) ? at : -1;
            if (found < 0) {
                return false;
            }
            at = found + fixed.length();
            if (open < 0) {
                return at == uri.length();
            }
            int close = template.indexOf('}', open);
            if (close < 0) {
                return false;
            }
            from = close + 1;
            anything = true;
        }
        return false;
    }

    private static int indexOf(String uri, String fixed, int at, boolean last) {
        if (last) {
            return uri.endsWith(fixed) && uri.length() - fixed.length() >= at ? uri.length() - fixed.length() : -1;
        }
        return uri.indexOf(fixed, at);
    }
}
