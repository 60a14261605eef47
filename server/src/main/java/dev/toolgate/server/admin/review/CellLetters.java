package dev.toolgate.server.admin.review;

import dev.toolgate.store.grant.MatrixCell;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The letters that stand for the cells of the compact matrix. A permission of the agent itself is upper case, one that
 * comes only from a group lower case; the next letter of the alphabet marks a permission that ends soon.
 */
final class CellLetters {
    private static final char UNSET = '.';

    private CellLetters() {}

    /** What a letter stands for. */
    record Meaning(String state, String source, boolean endsSoon) {}

    static char of(MatrixCell cell) {
        char letter = letter(cell.state());
        char ending =
                switch (cell.end()) {
                    case NOT_SOON -> letter;
                    case SOON -> (char) (letter + 1);
                };
        return switch (cell.origin()) {
            case NONE -> UNSET;
            case OWN -> ending;
            case GROUP -> Character.toLowerCase(ending);
        };
    }

    private static char letter(MatrixCell.State state) {
        return switch (state) {
            case UNSET -> UNSET;
            case ALLOWED -> 'A';
            case CONDITIONAL -> 'C';
            case CONDITIONAL_WITH_APPROVAL -> 'E';
            case NEEDS_APPROVAL -> 'H';
            case APPROVAL_ON_CONDITION -> 'J';
            case REFUSED -> 'R';
            case USED_UP -> 'U';
            case EXPIRED -> 'X';
        };
    }

    /** Every letter and what it stands for, sent with each matrix so that any client can read it. */
    static Map<Character, Meaning> legend() {
        Map<Character, Meaning> legend = new TreeMap<>();
        add(legend, MatrixCell.UNSET);
        for (MatrixCell.State state : MatrixCell.State.values()) {
            for (MatrixCell.Origin origin : new MatrixCell.Origin[] {MatrixCell.Origin.OWN, MatrixCell.Origin.GROUP}) {
                for (MatrixCell.End end : MatrixCell.End.values()) {
                    switch (state) {
                        case UNSET -> {}
                        case REFUSED, USED_UP, EXPIRED ->
                            add(legend, new MatrixCell(state, origin, MatrixCell.End.NOT_SOON));
                        case ALLOWED, CONDITIONAL, CONDITIONAL_WITH_APPROVAL, NEEDS_APPROVAL, APPROVAL_ON_CONDITION ->
                            add(legend, new MatrixCell(state, origin, end));
                    }
                }
            }
        }
        return legend;
    }

    private static void add(Map<Character, Meaning> legend, MatrixCell cell) {
        legend.put(
                of(cell),
                new Meaning(
                        cell.state().name().toLowerCase(Locale.ROOT),
                        cell.origin().name().toLowerCase(Locale.ROOT),
                        cell.end() == MatrixCell.End.SOON));
    }
}
