package dev.toolgate.cli.chat;

/** Shows a conversation as it goes on. */
interface ChatScreen {

    /** Shows something the server has said, if it is anything to look at. */
    void show(Happening.Said said);

    /** Shows a remark of the program itself, on lines of its own. */
    void remark(String text);

    /** Asks the person for a line. */
    void prompt(String prompt);

    /** The person has ended the line. */
    void typed();

    /** Ends a line that is not finished. */
    void rest();

    /** Whether something of the answer could not be written: nobody will see the rest of it. */
    boolean isGone();
}
