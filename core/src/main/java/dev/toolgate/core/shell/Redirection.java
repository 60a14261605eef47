package dev.toolgate.core.shell;

/**
 * A redirection of input or output.
 *
 * @param operator with its file descriptor, if any: {@code 2>>}
 */
record Redirection(String operator, Word target) {

    /** A description for approvers. */
    String inWords(String shownTarget) {
        String plain = operator.replaceFirst("^[0-9]+", "");
        boolean descriptor = target.isLiteral() && target.text().matches("[0-9]+|-");
        return switch (plain) {
            case "<" -> "reads the file " + shownTarget;
            case "<>" -> "reads and writes the file " + shownTarget;
            case "<<", "<<-" -> "reads the text that ends with " + shownTarget;
            case ">>" -> "appends to the file " + shownTarget + of(operator);
            case ">&", "<&" ->
                descriptor ? "joins outputs: " + operator + shownTarget : "writes the file " + shownTarget;
            default -> "writes the file " + shownTarget + of(operator);
        };
    }

    private static String of(String operator) {
        return operator.startsWith("2") ? " (its errors)" : "";
    }
}
