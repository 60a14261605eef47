package dev.toolgate.core.shell;

import dev.toolgate.core.shell.ShellParser.Ended;
import java.util.List;
import java.util.Set;

/** Parses shell keywords and their constructs. */
final class Keywords {
    private static final Set<String> GRAMMAR = Set.of(
            "if",
            "then",
            "elif",
            "else",
            "fi",
            "while",
            "until",
            "do",
            "done",
            "{",
            "}",
            "!",
            "case",
            "esac",
            "for",
            "function",
            "select",
            "coproc",
            "[[",
            "]]");

    private final ShellParser parser;
    private final ShellText text;
    private final Steps steps;

    Keywords(ShellParser parser, ShellText text, Steps steps) {
        this.parser = parser;
        this.text = text;
        this.steps = steps;
    }

    /** Whether a word at the start of a command is a keyword; if so, its construct is parsed too. */
    boolean read(Word word, Steps.Place place) throws UncheckableCommand {
        if (word.quoted() || !word.isLiteral()) {
            return false;
        }
        switch (word.text()) {
            case "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!" ->
                steps.keyword(place, word.text());
            case "case" -> caseCommand(place);
            case "for" -> forCommand(place);
            case "time" -> time(word, place);
            case "function", "select", "coproc", "[[", "]]" ->
                throw new UncheckableCommand("it uses '" + word.text() + "', which not every shell has");
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Refuses a keyword in a position where it is not one. */
    static void refuse(Word word) throws UncheckableCommand {
        if (!word.quoted() && word.isLiteral() && GRAMMAR.contains(word.text())) {
            throw new UncheckableCommand("'" + word.text() + "' follows a variable or a redirection");
        }
    }

    // A keyword in some shells, a program in others.
    private void time(Word word, Steps.Place place) throws UncheckableCommand {
        steps.end(place, List.of(), List.of(word), List.of());
        steps.operator("time");
        text.skipBlanks();
        int before = text.mark();
        if (text.peek() == '-' && !parser.word().is("-p")) {
            text.back(before);
        }
    }

    private void forCommand(Steps.Place place) throws UncheckableCommand {
        text.skipBlanks();
        int from = text.mark();
        Word name = parser.word();
        if (name.quoted() || !name.isLiteral()) {
            throw new UncheckableCommand("the variable of a for is only known when the shell runs");
        }
        AllowedVariables.check(name.text());
        parser.skipNewlines();
        int before = text.mark();
        if (!parser.isWordNext() || !parser.word().isBare("in")) {
            text.back(before);
            steps.keyword(place, "for " + name.text());
            return;
        }
        text.skipBlanks();
        while (parser.isWordNext()) {
            parser.word();
            text.skipBlanks();
        }
        steps.keyword(place, "for " + text.since(from).strip());
    }

    private void caseCommand(Steps.Place place) throws UncheckableCommand {
        text.skipBlanks();
        Word subject = parser.word();
        steps.keyword(place, "case " + subject.written() + " in");
        parser.skipNewlines();
        if (!parser.word().isBare("in")) {
            throw new UncheckableCommand("a case has no 'in'");
        }
        Ended ended = Ended.NORMALLY;
        while (ended != Ended.WITH_ESAC) {
            parser.skipNewlines();
            int from = text.mark();
            boolean opened = text.take('(');
            text.skipBlanks();
            if (parser.word().isBare("esac") && !opened) {
                steps.operator("esac");
                return;
            }
            text.skipBlanks();
            while (text.take('|')) {
                text.skipBlanks();
                parser.word();
                text.skipBlanks();
            }
            if (!text.take(')')) {
                throw new UncheckableCommand("a pattern of a case is not closed");
            }
            steps.operator(text.since(from));
            ended = parser.caseBranch();
        }
    }
}
