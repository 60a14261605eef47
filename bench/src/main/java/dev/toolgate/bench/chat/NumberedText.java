package dev.toolgate.bench.chat;

/** A long text in pieces that say whose they are and which, so that none can be lost, doubled or mistaken unseen. */
record NumberedText(int conversation, int pieces) {
    /** How long every piece is. */
    static final int LENGTH = "000:0000 ".length();

    String piece(int number) {
        return "%03d:%04d ".formatted(conversation, number);
    }

    /** All of it. */
    String whole() {
        StringBuilder text = new StringBuilder(pieces * LENGTH);
        for (int number = 0; number < pieces; number++) {
            text.append(piece(number));
        }
        return text.toString();
    }
}
