package dev.toolgate.cli.chat;

import java.io.PrintWriter;

/** Prints the server's messages as JSON lines; everything else goes to the standard error. */
final class JsonScreen implements ChatScreen {
    private final PrintWriter out;
    private final PrintWriter err;

    JsonScreen(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public void show(TerminalEvent.ServerMessage message) {
        out.println(message.envelope());
        out.flush();
    }

    @Override
    public void remark(String text) {
        err.println(text);
        err.flush();
    }

    @Override
    public void prompt(String prompt) {
        err.print(prompt);
        err.flush();
    }

    @Override
    public void typed() {}

    @Override
    public void endLine() {}

    @Override
    public boolean hasFailed() {
        return out.checkError();
    }
}
