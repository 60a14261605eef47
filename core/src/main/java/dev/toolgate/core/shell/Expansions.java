package dev.toolgate.core.shell;

import dev.toolgate.core.shell.Word.Form;
import java.util.regex.Pattern;

/** Parses expansions that start with a dollar sign or backquote; nested commands go to the parser. */
final class Expansions {
    private static final Pattern NUMBERS = Pattern.compile("[0-9 +*/%<>=!&|^~?:,-]*");
    private static final String NAMED = "(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*])";
    private static final Pattern PARAMETER =
            Pattern.compile("#?" + NAMED + "|[#?$!-]|" + NAMED + "(?::?[-+]|##?|%%?)[A-Za-z0-9_./:,=@ *?-]*");

    /** What a dollar sign starts. */
    enum Found {
        /** Nothing: a literal dollar sign. */
        NONE,
        /** One value. */
        ONE,
        /** All arguments at once. */
        LIST
    }

    private final ShellParser parser;

    Expansions(ShellParser parser) {
        this.parser = parser;
    }

    /** Reads what follows a dollar sign. */
    Found dollar(ShellText text, Form within) throws UncheckableCommand {
        int c = text.peek();
        if (c == '(') {
            text.next();
            if (text.take('(')) {
                arithmetic(text);
            } else {
                parser.commandsUntilParenthesis();
            }
            return Found.ONE;
        }
        if (c == '{') {
            text.next();
            return parameter(text.rawUntil('}', "a ${...}"));
        }
        if (c == '[' || (within == Form.SPLIT && (c == '\'' || c == '"'))) {
            throw new UncheckableCommand("it uses $" + (char) c + ", which shells read in different ways");
        }
        if (isNameStart(c)) {
            while (isNameStart(text.peek()) || isDigit(text.peek())) {
                text.next();
            }
            return Found.ONE;
        }
        if (c == '@' || c == '*') {
            text.next();
            return Found.LIST;
        }
        if (isDigit(c) || (c != ShellText.END && "#?$!-".indexOf(c) >= 0)) {
            text.next();
            return Found.ONE;
        }
        return Found.NONE;
    }

    /** Reads what follows a backquote. */
    void backquoted(ShellText text) throws UncheckableCommand {
        String inner = text.rawUntil('`', "a backquote");
        if (inner.indexOf('\\') >= 0) {
            throw new UncheckableCommand("it has a backslash within backquotes; use $(...) instead");
        }
        parser.within(inner);
    }

    // Even a variable name can run a command here, because its value is evaluated including subscripts.
    private static void arithmetic(ShellText text) throws UncheckableCommand {
        String inner = text.rawUntil(')', "a $((...))");
        if (!NUMBERS.matcher(inner).matches() || !text.take(')')) {
            throw new UncheckableCommand("it calculates with more than plain numbers");
        }
    }

    private static Found parameter(String inner) throws UncheckableCommand {
        if (!PARAMETER.matcher(inner).matches()) {
            throw new UncheckableCommand("it uses a form of ${...} that may do more than show a variable");
        }
        return inner.startsWith("@") || inner.startsWith("*") ? Found.LIST : Found.ONE;
    }

    private static boolean isNameStart(int c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
