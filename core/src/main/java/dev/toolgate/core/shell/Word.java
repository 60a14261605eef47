package dev.toolgate.core.shell;

/**
 * One word of a command.
 *
 * @param text its value if literal, otherwise its literal parts
 * @param prefix its known prefix
 * @param bare the prefix before any quote or expansion
 * @param form how much is known before the shell runs
 * @param written its source text
 * @param quoted whether any part is quoted, so that it is no keyword
 */
record Word(String text, String prefix, String bare, Form form, String written, boolean quoted) {

    enum Form {
        /** Exactly its text. */
        LITERAL,
        /** One word, but the shell decides which. */
        SINGLE,
        /** Any number of words, each of which begins with the prefix: a file name pattern or a list in braces. */
        PATTERN,
        /** Any number of words, of which only the first begins with the prefix: an expansion outside quotes. */
        SPLIT
    }

    /** A word supplied at run time. */
    static Word unknown() {
        return new Word("", "", "", Form.SPLIT, "...", true);
    }

    boolean isLiteral() {
        return form == Form.LITERAL;
    }

    /** Whether it is exactly one word, known or not. */
    boolean isOne() {
        return form == Form.LITERAL || form == Form.SINGLE;
    }

    /** Whether its value is exactly this text, however quoted. */
    boolean is(String other) {
        return isLiteral() && text.equals(other);
    }

    /** Whether it is this keyword. */
    boolean isBare(String keyword) {
        return !quoted && is(keyword);
    }

    /** The same word with a placeholder that a program replaces. */
    Word replacing(String mark) {
        int at = isLiteral() ? text.indexOf(mark) : -1;
        return at < 0 ? this : new Word(text, text.substring(0, at), "", Form.SINGLE, written, true);
    }

    /** The value, which must be known. */
    String literal(String of) throws UncheckableCommand {
        if (!isLiteral()) {
            throw new UncheckableCommand(of + " is only known when the shell runs");
        }
        return text;
    }
}
