package dev.toolgate.core.shell;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds every simple command in a shell command line, however deeply nested. It does not validate syntax: it may accept
 * what a shell rejects, as long as every place where a shell could start a command counts as one.
 */
final class ShellParser {
    private static final int MAX_DEPTH = 40;

    private enum End {
        TEXT,
        PARENTHESIS,
        CASE
    }

    enum Ended {
        NORMALLY,
        WITH_ESAC
    }

    private final ShellText text;
    private final int depth;
    private final Steps steps;
    private final HereDocuments documents;
    private final Redirections redirections;
    private final Keywords keywords;
    private int nesting;

    private ShellParser(String text, int depth, Steps steps) throws UncheckableCommand {
        if (depth > MAX_DEPTH) {
            throw tooDeep();
        }
        this.text = new ShellText(text);
        this.depth = depth;
        this.steps = steps;
        this.documents = new HereDocuments(this.text, this);
        this.redirections = new Redirections(this, this.text, documents);
        this.keywords = new Keywords(this, this.text, steps);
    }

    /** Everything the line does, in order. */
    static Steps steps(String line) throws UncheckableCommand {
        Steps steps = new Steps();
        new ShellParser(line, 0, steps).commands(End.TEXT);
        return steps;
    }

    /** Parses text that the shell runs as a line of its own. */
    void within(String inner) throws UncheckableCommand {
        steps.open("`");
        new ShellParser(inner, depth + 1, steps).commands(End.TEXT);
        steps.close();
    }

    /** Parses text in which the shell only expands. */
    void withinQuoted(String inner) throws UncheckableCommand {
        ShellParser parser = new ShellParser(inner, depth + 1, steps);
        new WordReader(parser.text, new Expansions(parser)).readExpansions();
    }

    /** Parses what follows {@code $(}. */
    void commandsUntilParenthesis() throws UncheckableCommand {
        documents.refuseUnread(); // shells disagree on where the text starts
        steps.open("$(");
        commands(End.PARENTHESIS);
        steps.close();
    }

    private Ended commands(End end) throws UncheckableCommand {
        if (++nesting + depth > MAX_DEPTH) {
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

    /** Parses an operator or a command; non-null at the end. */
    private @Nullable Ended step(End end) throws UncheckableCommand {
        int c = text.peek();
        switch (c) {
            case ShellText.END -> {
                if (end != End.TEXT) {
                    throw new UncheckableCommand("a parenthesis or a case is not closed");
                }
                documents.refuseUnread();
                return Ended.NORMALLY;
            }
            case ')' -> {
                if (end != End.PARENTHESIS) {
                    throw new UncheckableCommand("a parenthesis is closed that was not opened");
                }
                documents.refuseUnread();
                text.next();
                steps.operator(")");
                return Ended.NORMALLY;
            }
            case '\n' -> {
                newline();
                steps.operator("\n");
            }
            case ';' -> {
                text.next();
                if (text.take(';')) {
                    if (end != End.CASE || text.peek() == '&') {
                        throw new UncheckableCommand("it has ;; where no case ends");
                    }
                    steps.operator(";;");
                    return Ended.NORMALLY;
                }
                refuseNext('&', ";&");
                steps.operator(";");
            }
            case '&' -> {
                text.next();
                refuseNext('>', "&>, which shells read in different ways");
                steps.operator(text.take('&') ? "&&" : "&");
            }
            case '|' -> {
                text.next();
                refuseNext('&', "|&, which shells read in different ways");
                steps.operator(text.take('|') ? "||" : "|");
            }
            case '(' -> {
                text.next();
                refuseNext('(', "((...))");
                steps.operator("(");
                commands(End.PARENTHESIS);
            }
            default -> {
                return command(end);
            }
        }
        return null;
    }

    private @Nullable Ended command(End end) throws UncheckableCommand {
        Steps.Place place = steps.begin();
        List<Word> assignments = new ArrayList<>();
        List<Word> words = new ArrayList<>();
        List<Redirection> redirected = new ArrayList<>();
        while (true) {
            text.skipBlanks();
            int c = text.peek();
            if (c == '<' || c == '>') {
                redirected.add(redirections.read(""));
            } else if (c == '(') {
                throw new UncheckableCommand("it defines a function or an array");
            } else if (c == ShellText.END || "\n;&|)".indexOf(c) >= 0) {
                break;
            } else {
                Word word = word();
                if (redirections.isDescriptor(word)) {
                    redirected.add(redirections.read(word.text()));
                    continue;
                }
                if (words.isEmpty()) {
                    if (word.isBare("esac")) {
                        if (end != End.CASE) {
                            throw new UncheckableCommand("it has an esac without a case");
                        }
                        steps.keyword(place, "esac");
                        return Ended.WITH_ESAC;
                    }
                    if (assignments.isEmpty() && redirected.isEmpty()) {
                        if (keywords.read(word, place)) {
                            return null;
                        }
                    } else {
                        Keywords.refuse(word); // not a keyword here, but looks like one
                    }
                    if (AllowedVariables.isAssignment(word.bare())) {
                        assignments.add(word);
                        continue;
                    }
                }
                words.add(word);
            }
        }
        steps.end(place, assignments, words, redirected);
        return null;
    }

    /** Parses the branch after a case pattern. */
    Ended caseBranch() throws UncheckableCommand {
        return commands(End.CASE);
    }

    Word word() throws UncheckableCommand {
        return new WordReader(text, new Expansions(this)).read();
    }

    boolean isWordNext() {
        int c = text.peek();
        return c != ShellText.END && "\n;&|<>()".indexOf(c) < 0;
    }

    void skipNewlines() throws UncheckableCommand {
        text.skipBlanks();
        while (text.peek() == '\n') {
            newline();
            text.skipBlanks();
        }
    }

    private void newline() throws UncheckableCommand {
        text.next();
        documents.readAll();
    }

    private void refuseNext(char next, String what) throws UncheckableCommand {
        if (text.peek() == next) {
            throw new UncheckableCommand("it uses " + what);
        }
    }

    private static UncheckableCommand tooDeep() {
        return new UncheckableCommand("it is nested deeper than " + MAX_DEPTH + " levels");
    }
}
