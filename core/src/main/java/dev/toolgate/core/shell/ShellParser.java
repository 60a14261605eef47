package dev.toolgate.core.shell;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds every simple command in a line for the shell, however deep it is nested. It is no judge of
 * syntax: where a shell would complain it may go on, as long as every place where a shell could begin
 * a command counts as one.
 */
final class ShellParser {
    private static final int DEEPEST = 40;

    private enum End {
        TEXT,
        PARENTHESIS,
        CASE
    }

    private enum Ended {
        NORMALLY,
        WITH_ESAC
    }

    private final ShellText text;
    private final int depth;
    private final List<List<Word>> found;
    private final HereDocuments documents;
    private int nesting;

    private ShellParser(String text, int depth, List<List<Word>> found) throws NotUnderstood {
        if (depth > DEEPEST) {
            throw tooDeep();
        }
        this.text = new ShellText(text);
        this.depth = depth;
        this.found = found;
        this.documents = new HereDocuments(this.text, this);
    }

    /** The words of each command that would run. */
    static List<List<Word>> commands(String line) throws NotUnderstood {
        List<List<Word>> found = new ArrayList<>();
        new ShellParser(line, 0, found).commands(End.TEXT);
        return found;
    }

    /** Reads text that the shell takes for a line of its own. */
    void within(String inner) throws NotUnderstood {
        new ShellParser(inner, depth + 1, found).commands(End.TEXT);
    }

    /** Reads text in which the shell only looks for expansions. */
    void withinQuoted(String inner) throws NotUnderstood {
        ShellParser parser = new ShellParser(inner, depth + 1, found);
        new WordReader(parser.text, new Expansions(parser)).readExpansions();
    }

    /** Reads what follows a dollar sign and a parenthesis. */
    void commandsUntilParenthesis() throws NotUnderstood {
        documents.refuseUnread(); // shells disagree on whether the text begins within
        commands(End.PARENTHESIS);
    }

    private Ended commands(End end) throws NotUnderstood {
        if (++nesting + depth > DEEPEST) {
            throw tooDeep();
        }
        @Nullable Ended ended = null;
        while (ended == null) {
            text.skipBlanks();
            ended = step(end);
        }
        nesting--;
        return ended;
    }

    /** Reads an operator or a command; says so if that was the end. */
    private @Nullable Ended step(End end) throws NotUnderstood {
        int c = text.peek();
        switch (c) {
            case ShellText.END -> {
                if (end != End.TEXT) {
                    throw new NotUnderstood("a parenthesis or a case is not closed");
                }
                documents.refuseUnread();
                return Ended.NORMALLY;
            }
            case ')' -> {
                if (end != End.PARENTHESIS) {
                    throw new NotUnderstood("a parenthesis is closed that was not opened");
                }
                documents.refuseUnread();
                text.next();
                return Ended.NORMALLY;
            }
            case '\n' -> newline();
            case ';' -> {
                text.next();
                if (text.take(';')) {
                    if (end != End.CASE || text.peek() == '&') {
                        throw new NotUnderstood("it has ;; where no case ends");
                    }
                    return Ended.NORMALLY;
                }
                refuseNext('&', ";&");
            }
            case '&' -> {
                text.next();
                refuseNext('>', "&>, which shells read in different ways");
                text.take('&');
            }
            case '|' -> {
                text.next();
                refuseNext('&', "|&, which shells read in different ways");
                text.take('|');
            }
            case '(' -> {
                text.next();
                refuseNext('(', "((...))");
                commands(End.PARENTHESIS);
            }
            default -> {
                return command(end);
            }
        }
        return null;
    }

    private @Nullable Ended command(End end) throws NotUnderstood {
        List<Word> words = new ArrayList<>();
        while (true) {
            text.skipBlanks();
            int c = text.peek();
            if (c == '<' || c == '>') {
                redirection();
            } else if (c == '(') {
                throw new NotUnderstood("it defines a function or an array");
            } else if (c == ShellText.END || "\n;&|)".indexOf(c) >= 0) {
                break;
            } else {
                Word word = word();
                if (isDescriptor(word)) {
                    continue;
                }
                if (words.isEmpty()) {
                    if (word.isBare("esac")) {
                        if (end != End.CASE) {
                            throw new NotUnderstood("it has an esac without a case");
                        }
                        return Ended.WITH_ESAC;
                    }
                    if (isKeyword(word)) {
                        return null;
                    }
                    if (Names.isAssignment(word.bare())) {
                        continue;
                    }
                }
                words.add(word);
            }
        }
        if (!words.isEmpty()) {
            found.add(List.copyOf(words));
        }
        return null;
    }

    /** Whether a word at the beginning of a command is grammar; what belongs to it is then read as well. */
    private boolean isKeyword(Word word) throws NotUnderstood {
        if (word.quoted() || !word.isLiteral()) {
            return false;
        }
        switch (word.text()) {
            case "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!" -> {}
            case "case" -> caseCommand();
            case "for" -> forCommand();
            case "time" -> time(word);
            case "function", "select", "coproc", "[[", "]]" ->
                throw new NotUnderstood("it uses '" + word.text() + "', which not every shell has");
            default -> {
                return false;
            }
        }
        return true;
    }

    // A keyword to one shell, a program to another.
    private void time(Word word) throws NotUnderstood {
        found.add(List.of(word));
        text.skipBlanks();
        int before = text.mark();
        if (text.peek() == '-' && !word().is("-p")) {
            text.back(before);
        }
    }

    private void forCommand() throws NotUnderstood {
        text.skipBlanks();
        Word name = word();
        if (name.quoted() || !name.isLiteral()) {
            throw new NotUnderstood("the variable of a for is only known when the shell runs");
        }
        Names.check(name.text());
        skipNewlines();
        int before = text.mark();
        if (!isWordNext() || !word().isBare("in")) {
            text.back(before);
            return;
        }
        text.skipBlanks();
        while (isWordNext()) {
            word();
            text.skipBlanks();
        }
    }

    private void caseCommand() throws NotUnderstood {
        text.skipBlanks();
        word();
        skipNewlines();
        if (!word().isBare("in")) {
            throw new NotUnderstood("a case has no 'in'");
        }
        Ended ended = Ended.NORMALLY;
        while (ended != Ended.WITH_ESAC) {
            skipNewlines();
            boolean opened = text.take('(');
            text.skipBlanks();
            if (word().isBare("esac") && !opened) {
                return;
            }
            text.skipBlanks();
            while (text.take('|')) {
                text.skipBlanks();
                word();
                text.skipBlanks();
            }
            if (!text.take(')')) {
                throw new NotUnderstood("a pattern of a case is not closed");
            }
            ended = commands(End.CASE);
        }
    }

    private void redirection() throws NotUnderstood {
        int c = text.next();
        boolean document = false;
        if (c == '<') {
            document = text.take('<');
            if (document) {
                refuseNext('<', "<<<, which not every shell has");
            } else {
                refuseNext('(', "<(...), which not every shell has");
                var _ = text.take('&') || text.take('>');
            }
        } else {
            refuseNext('(', ">(...), which not every shell has");
            var _ = text.take('>') || text.take('|') || text.take('&');
        }
        boolean strippingTabs = document && text.take('-');
        text.skipBlanks();
        Word target = word();
        if (document) {
            documents.expect(target, strippingTabs);
        }
    }

    /** Whether a word is the number of a descriptor that is redirected. */
    private boolean isDescriptor(Word word) {
        return !word.quoted()
                && word.isLiteral()
                && word.text().chars().allMatch(c -> c >= '0' && c <= '9')
                && (text.peek() == '<' || text.peek() == '>');
    }

    private Word word() throws NotUnderstood {
        return new WordReader(text, new Expansions(this)).read();
    }

    private boolean isWordNext() {
        int c = text.peek();
        return c != ShellText.END && "\n;&|<>()".indexOf(c) < 0;
    }

    private void skipNewlines() throws NotUnderstood {
        text.skipBlanks();
        while (text.peek() == '\n') {
            newline();
            text.skipBlanks();
        }
    }

    private void newline() throws NotUnderstood {
        text.next();
        documents.readAll();
    }

    private void refuseNext(char next, String what) throws NotUnderstood {
        if (text.peek() == next) {
            throw new NotUnderstood("it uses " + what);
        }
    }

    private static NotUnderstood tooDeep() {
        return new NotUnderstood("it is nested deeper than " + DEEPEST + " levels");
    }
}
