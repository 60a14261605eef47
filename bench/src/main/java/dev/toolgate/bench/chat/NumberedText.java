package dev.toolgate.bench.chat;

/** A long text whose chunks contain conversation and number, so that lost, duplicated or mixed-up ones are detected. */
record NumberedText(int conversation, int pieces) {
    /** The length of every chunk. */
    static final int LENGTH = "000:0000 ".length();

    String piece(int number) {
        return "%03d:%04d ".formatted(conversation, number);
    }

    /** The complete text. */
    String whole() {
        StringBuilder text = new StringBuilder(pieces * LENGTH);
        for (int number = 0; number < pieces; number++) {
            text.append(piece(number));
        }
        return text.toString();
    }
}
