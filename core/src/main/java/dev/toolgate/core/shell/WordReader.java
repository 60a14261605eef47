package dev.toolgate.core.shell;

import dev.toolgate.core.shell.Word.Form;

/** Parses one word: quotes, escapes, patterns and expansions. Used once. */
final class WordReader {
    private static final char NO_QUOTE = '\0';

    private final ShellText text;
    private final Expansions expansions;
    private final StringBuilder value = new StringBuilder();
    private String prefix = "";
    private Form form = Form.LITERAL;
    private String bare = "";
    private boolean quoted;
    /** Where the first brace outside quotes is; -1 if there is none. */
    private int brace = -1;

    private boolean list;

    WordReader(ShellText text, Expansions expansions) {
        this.text = text;
        this.expansions = expansions;
    }

    Word read() throws UncheckableCommand {
        int from = text.mark();
        while (!endsWord(text.peek())) {
            part();
        }
        if (text.mark() == from) {
            throw new UncheckableCommand("a word is missing in it");
        }
        if (brace >= 0 && list) {
            unknown(Form.PATTERN);
            prefix = prefix.substring(0, Math.min(brace, prefix.length()));
        }
        if (!quoted && form == Form.PATTERN && value.toString().equals("[")) {
            return new Word("[", "[", "[", Form.LITERAL, "[", false); // the command, not a pattern
        }
        String all = value.toString();
        boolean literal = form == Form.LITERAL;
        return new Word(all, literal ? all : prefix, literal && !quoted ? all : bare, form, text.since(from), quoted);
    }

    /** Parses a text in which the shell only expands, such as a here-document. */
    void readExpansions() throws UncheckableCommand {
        while (!text.atEnd()) {
            quotedPart(NO_QUOTE);
        }
    }

    private void part() throws UncheckableCommand {
        int c = text.next();
        switch (c) {
            case '\\' -> {
                quote();
                append(text.nextRaw());
            }
            case '\'' -> {
                quote();
                value.append(text.rawUntil('\'', "a quote"));
            }
            case '"' -> {
                quote();
                while (text.peek() != '"') {
                    quotedPart('"');
                }
                text.next();
            }
            case '$' -> dollar(Form.SPLIT);
            case '`' -> {
                expansions.backquoted(text);
                unknown(Form.SPLIT);
            }
            case '*', '?', '[' -> {
                unknown(Form.PATTERN);
                append(c);
            }
            case '~' -> {
                if (value.isEmpty() || "=:".indexOf(value.charAt(value.length() - 1)) >= 0) {
                    unknown(Form.SINGLE);
                }
                append(c);
            }
            default -> {
                brace = brace < 0 && c == '{' ? value.length() : brace;
                list |= c == ',' || (c == '.' && !value.isEmpty() && value.charAt(value.length() - 1) == '.');
                append(c);
            }
        }
    }

    private void quotedPart(char end) throws UncheckableCommand {
        int c = text.next();
        switch (c) {
            case ShellText.END -> throw new UncheckableCommand("a quote is not closed");
            case '\\' -> {
                int escaped = text.nextRaw();
                if ("$`\\".indexOf(escaped) < 0 && escaped != end) {
                    append('\\');
                }
                append(escaped);
            }
            case '$' -> dollar(Form.SINGLE);
            case '`' -> {
                expansions.backquoted(text);
                unknown(Form.SINGLE);
            }
            default -> value.append((char) c);
        }
    }

    private void dollar(Form within) throws UncheckableCommand {
        switch (expansions.dollar(text, within)) {
            case NONE -> append('$');
            case ONE -> unknown(within);
            case LIST -> unknown(Form.SPLIT);
        }
    }

    private void quote() {
        if (form == Form.LITERAL && !quoted) {
            bare = value.toString();
        }
        quoted = true;
    }

    private void unknown(Form newForm) {
        if (form == Form.LITERAL) {
            prefix = value.toString();
            bare = quoted ? bare : prefix;
        }
        form = form.compareTo(newForm) < 0 ? newForm : form;
    }

    private void append(int c) throws UncheckableCommand {
        if (c == ShellText.END) {
            throw new UncheckableCommand("it ends in a backslash");
        }
        // Characters that shells treat differently or that are invisible.
        if (c != '\t' && c != ' ' && (Character.isISOControl(c) || Character.isSpaceChar(c))) {
            throw new UncheckableCommand("it has a control character or a non-ASCII space outside quotes");
        }
        value.append((char) c);
    }

    private static boolean endsWord(int c) {
        return c == ShellText.END || " \t\n;&|<>()".indexOf(c) >= 0;
    }
}
