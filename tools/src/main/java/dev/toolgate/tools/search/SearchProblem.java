package dev.toolgate.tools.search;

/** Why a provider has no answer, as the end of a sentence that begins with its name. It has no stack trace. */
public final class SearchProblem extends Exception {
    private static final long serialVersionUID = 1L;

    public SearchProblem(String message) {
        super(message, null, false, false);
    }
}
