package dev.toolgate.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Commands of a document, in a fence tagged {@code sh}, and their expected output: the lines of a fence tagged
 * {@code text} that follows directly.
 */
record Block(String commands, List<String> expected) {
    private static final Pattern FENCE = Pattern.compile("(?ms)^```sh\\n(.*?)^```\\n(?:```text\\n(.*?)^```\\n)?");

    static List<Block> of(String document) {
        List<Block> blocks = new ArrayList<>();
        Matcher fence = FENCE.matcher(document);
        while (fence.find()) {
            blocks.add(new Block(
                    fence.group(1),
                    fence.group(2) == null ? List.of() : fence.group(2).lines().toList()));
        }
        return blocks;
    }
}
