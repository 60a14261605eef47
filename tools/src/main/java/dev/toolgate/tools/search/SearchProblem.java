package dev.toolgate.tools.search;

/** Why a search failed, as the end of a sentence that begins with the provider's name. Has no stack trace. */
public final class SearchProblem extends Exception {
    private static final long serialVersionUID = 1L;

    public SearchProblem(String message) {
        super(message, null, false, false);
    }
}
