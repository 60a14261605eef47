package dev.toolgate.tools.web;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Takes text apart into sentences, and sentences into the words that carry meaning. */
final class Sentences {
    private static final int LONGEST = 600;
    private static final int STEM = 6; // "deployment", "deployed" and "deploys" are about the same
    private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");

    /** Words of tasks and texts that say nothing about what a page is about. */
    private static final Set<String> EMPTY = Set.of(("a about all also an and any are as at be been but by can do does"
                    + " extract find for from get give has have how i if in information into is it its list many me"
                    + " more most much not of on one or page please read said say says see should so some summarise"
                    + " summarize summary tell than that the their them then there these they this to up us was web"
                    + " website were what when where which who why will with would you your")
            .split(" "));

    private Sentences() {}

    /**
     * A sentence.
     *
     * @param paragraph the number of the line it stands in
     */
    record Sentence(int paragraph, String text) {}

    static List<Sentence> of(String text, int most) {
        List<Sentence> sentences = new ArrayList<>();
        BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
        String[] paragraphs = text.split("\n");
        for (int paragraph = 0; paragraph < paragraphs.length; paragraph++) {
            String line = paragraphs[paragraph];
            breaks.setText(line);
            for (int from = breaks.first(), to = breaks.next();
                    to != BreakIterator.DONE && sentences.size() < most;
                    from = to, to = breaks.next()) {
                String sentence = line.substring(from, to).strip();
                if (!sentence.isEmpty()) {
                    sentences.add(new Sentence(paragraph, bounded(sentence)));
                }
            }
        }
        return sentences;
    }

    /** The different words that carry meaning, in the order they come, each cut to its stem. */
    static List<String> words(String text) {
        Set<String> words = new LinkedHashSet<>();
        Arrays.stream(BETWEEN.split(text.toLowerCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty() && !EMPTY.contains(word))
                .map(word -> word.length() <= STEM ? word : word.substring(0, STEM))
                .forEach(words::add);
        return List.copyOf(words);
    }

    private static String bounded(String sentence) {
        if (sentence.length() <= LONGEST) {
            return sentence;
        }
        int end = sentence.lastIndexOf(' ', LONGEST - 1);
        int hard = Character.isHighSurrogate(sentence.charAt(LONGEST - 2)) ? LONGEST - 2 : LONGEST - 1;
        return sentence.substring(0, end > LONGEST / 2 ? end : hard) + "…";
    }
}
