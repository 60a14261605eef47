package dev.toolgate.core.shell;

/** Parses redirections. */
final class Redirections {
    private final ShellParser parser;
    private final ShellText text;
    private final HereDocuments documents;

    Redirections(ShellParser parser, ShellText text, HereDocuments documents) {
        this.parser = parser;
        this.text = text;
        this.documents = documents;
    }

    /** Whether a word is the file descriptor of a redirection. */
    boolean isDescriptor(Word word) {
        return !word.quoted()
                && word.isLiteral()
                && word.text().chars().allMatch(c -> c >= '0' && c <= '9')
                && (text.peek() == '<' || text.peek() == '>');
    }

    /** Parses one after its optional file descriptor. */
    Redirection read(String descriptor) throws UncheckableCommand {
        int c = text.next();
        String operator = String.valueOf((char) c);
        boolean document = false;
        if (c == '<') {
            document = text.take('<');
            if (document) {
                refuseNext('<', "<<<, which not every shell has");
                operator = text.take('-') ? "<<-" : "<<";
            } else {
                refuseNext('(', "<(...), which not every shell has");
                operator += text.take('&') ? "&" : text.take('>') ? ">" : "";
            }
        } else {
            refuseNext('(', ">(...), which not every shell has");
            operator += text.take('>') ? ">" : text.take('|') ? "|" : text.take('&') ? "&" : "";
        }
        text.skipBlanks();
        Word target = parser.word();
        if (document) {
            documents.expect(target, operator.endsWith("-"));
        }
        return new Redirection(descriptor + operator, target);
    }

    private void refuseNext(char next, String what) throws UncheckableCommand {
        if (text.peek() == next) {
            throw new UncheckableCommand("it uses " + what);
        }
    }
}
