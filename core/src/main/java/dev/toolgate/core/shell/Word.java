package dev.toolgate.core.shell;

/**
 * One word of a command.
 *
 * @param text what it stands for, if it is literal; otherwise what of it is written out
 * @param prefix what it certainly begins with
 * @param bare what it begins with before any quote or expansion
 * @param form how much of it is known before the shell runs
 * @param written how it stands in the line, for people
 * @param quoted whether any of it is quoted, so that the shell takes it for no keyword
 */
record Word(String text, String prefix, String bare, Form form, String written, boolean quoted) {

    enum Form {
        /** Exactly its text. */
        LITERAL,
        /** One word, but the shell decides which. */
        SINGLE,
        /** Any number of words. */
        MANY
    }

    /** Whatever somebody else puts there when the command runs. */
    static Word unknown() {
        return new Word("", "", "", Form.MANY, "...", true);
    }

    boolean isLiteral() {
        return form == Form.LITERAL;
    }

    /** Whether it is exactly this text, whichever way it is quoted. */
    boolean is(String other) {
        return isLiteral() && text.equals(other);
    }

    /** Whether the shell may take it for a keyword of this text. */
    boolean isBare(String keyword) {
        return !quoted && is(keyword);
    }

    /** The same word where some program replaces a mark in it. */
    Word replacing(String mark) {
        int at = isLiteral() ? text.indexOf(mark) : -1;
        return at < 0 ? this : new Word(text, text.substring(0, at), "", Form.SINGLE, written, true);
    }

    /** The text if it is known. */
    String literal(String of) throws NotUnderstood {
        if (!isLiteral()) {
            throw new NotUnderstood(of + " is only known when the shell runs");
        }
        return text;
    }
}
