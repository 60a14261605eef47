package dev.toolgate.core.tool;

import java.util.Collection;
import java.util.Comparator;

/** Suggests the name a user may have meant. */
public final class NearestName {
    private NearestName() {}

    /** The name with the smallest edit distance. */
    public static String to(String written, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(name -> changes(written, name)))
                .orElse("");
    }

    private static int changes(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
