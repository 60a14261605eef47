package dev.toolgate.cli.chat;

/** Shows a conversation. */
interface ChatScreen {

    /** Shows a message of the server, if it is meant for the user. */
    void show(TerminalEvent.ServerMessage message);

    /** Shows a message of this program on separate lines. */
    void remark(String text);

    /** Prompts the user for a line. */
    void prompt(String prompt);

    /** The user has finished the line. */
    void typed();

    /** Ends an unfinished line. */
    void endLine();

    /** Whether a part of the answer could not be written to the output. */
    boolean hasFailed();
}
