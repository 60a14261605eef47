package dev.toolgate.cli.chat;

import java.io.PrintWriter;

/** Prints what the server says as it came, one envelope on each line; everything else goes beside it. */
final class JsonScreen implements ChatScreen {
    private final PrintWriter out;
    private final PrintWriter err;

    JsonScreen(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public void show(Happening.Said said) {
        out.println(said.envelope());
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
    public void rest() {}

    @Override
    public boolean isGone() {
        return out.checkError();
    }
}
