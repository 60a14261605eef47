package dev.toolgate.core.shell;

/** A cursor over a shell command line. A backslash at the end of a line joins it to the next one. */
final class ShellText {
    static final int END = -1;

    private final String text;
    private int at;

    ShellText(String text) {
        this.text = text;
    }

    /** The next character with lines joined; {@link #END} after the last. */
    int peek() {
        while (text.startsWith("\\\n", at)) {
            at += 2;
        }
        return peekRaw();
    }

    int next() {
        int next = peek();
        at++;
        return next;
    }

    /** The next raw character, for quotes, comments and here-documents. */
    int nextRaw() {
        int next = peekRaw();
        at++;
        return next;
    }

    private int peekRaw() {
        return at < text.length() ? text.charAt(at) : END;
    }

    boolean take(char expected) {
        if (peek() == expected) {
            at++;
            return true;
        }
        return false;
    }

    /** The raw text up to the next such character, which is consumed. */
    String rawUntil(char end, String what) throws UncheckableCommand {
        int to = text.indexOf(end, at);
        if (to < 0) {
            throw new UncheckableCommand(what + " is not closed");
        }
        String found = text.substring(at, to);
        at = to + 1;
        return found;
    }

    /** One raw line without its terminator. */
    String rawLine() {
        int end = text.indexOf('\n', at);
        int to = end < 0 ? text.length() : end;
        String line = text.substring(at, to);
        at = end < 0 ? to : to + 1;
        return line;
    }

    /** The raw text since a mark. */
    String since(int mark) {
        return text.substring(mark, at);
    }

    int length() {
        return text.length();
    }

    boolean atEnd() {
        return peek() == END;
    }

    void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
        if (peek() == '#') {
            while (peekRaw() != END && peekRaw() != '\n') {
                at++;
            }
        }
    }

    int mark() {
        return at;
    }

    void back(int mark) {
        at = mark;
    }
}
