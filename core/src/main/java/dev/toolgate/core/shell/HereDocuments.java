package dev.toolgate.core.shell;

import java.util.ArrayDeque;
import java.util.Deque;

/** Here-documents started on a line; their text follows the line. */
final class HereDocuments {
    private record Pending(Word end, boolean strippingTabs) {}

    private final Deque<Pending> pending = new ArrayDeque<>();
    private final ShellText text;
    private final ShellParser parser;

    HereDocuments(ShellText text, ShellParser parser) {
        this.text = text;
        this.parser = parser;
    }

    void expect(Word end, boolean strippingTabs) throws UncheckableCommand {
        if (end.literal("the end of a here-document").isEmpty() || end.text().contains("\n")) {
            throw new UncheckableCommand("a here-document has an empty or multi-line delimiter");
        }
        pending.add(new Pending(end, strippingTabs));
    }

    /** Reads all of them at the end of their line. */
    void readAll() throws UncheckableCommand {
        while (!pending.isEmpty()) {
            read(pending.remove());
        }
    }

    /** Refuses the end of a group or of the text while one is pending. */
    void refuseUnread() throws UncheckableCommand {
        if (!pending.isEmpty()) {
            throw new UncheckableCommand("a here-document has no text");
        }
    }

    private void read(Pending document) throws UncheckableCommand {
        StringBuilder body = new StringBuilder();
        while (true) {
            if (text.mark() >= text.length()) {
                throw new UncheckableCommand("a here-document does not end");
            }
            String line = text.rawLine();
            if (document.strippingTabs) {
                line = line.replaceFirst("^\t+", "");
            }
            if (line.equals(document.end.text())) {
                break;
            }
            body.append(line).append('\n');
        }
        if (!document.end.quoted()) {
            if (body.indexOf("\\\n") >= 0) {
                throw new UncheckableCommand("a here-document joins lines with a backslash");
            }
            parser.withinQuoted(body.toString());
        }
    }
}
