package dev.toolgate.tools.web;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Splits text into sentences, and sentences into stemmed words without stop words. */
final class Sentences {
    private static final int MAX_LENGTH = 600;
    private static final int STEM_LENGTH = 6; // a crude stem: "deployment", "deployed" and "deploys" match
    private static final Pattern WORD_SEPARATORS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");

    /** Words that carry no meaning for relevance. */
    private static final Set<String> STOP_WORDS =
            Set.of(("a about all also an and any are as at be been but by can do does"
                            + " extract find for from get give has have how i if in information into is it its list many me"
                            + " more most much not of on one or page please read said say says see should so some summarise"
                            + " summarize summary tell than that the their them then there these they this to up us was web"
                            + " website were what when where which who why will with would you your")
                    .split(" "));

    private Sentences() {}

    /**
     * A sentence.
     *
     * @param paragraph the number of its line
     */
    record Sentence(int paragraph, String text) {}

    static List<Sentence> of(String text, int maxSentences) {
        List<Sentence> sentences = new ArrayList<>();
        BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
        String[] paragraphs = text.split("\n");
        for (int paragraph = 0; paragraph < paragraphs.length; paragraph++) {
            String line = paragraphs[paragraph];
            breaks.setText(line);
            for (int from = breaks.first(), to = breaks.next();
                    to != BreakIterator.DONE && sentences.size() < maxSentences;
                    from = to, to = breaks.next()) {
                String sentence = line.substring(from, to).strip();
                if (!sentence.isEmpty()) {
                    sentences.add(new Sentence(paragraph, bounded(sentence)));
                }
            }
        }
        return sentences;
    }

    /** The distinct words without stop words, in order, each cut to its stem. */
    static List<String> words(String text) {
        Set<String> words = new LinkedHashSet<>();
        Arrays.stream(WORD_SEPARATORS.split(text.toLowerCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty() && !STOP_WORDS.contains(word))
                .map(word -> word.length() <= STEM_LENGTH ? word : word.substring(0, STEM_LENGTH))
                .forEach(words::add);
        return List.copyOf(words);
    }

    private static String bounded(String sentence) {
        if (sentence.length() <= MAX_LENGTH) {
            return sentence;
        }
        int end = sentence.lastIndexOf(' ', MAX_LENGTH - 1);
        int hard = Character.isHighSurrogate(sentence.charAt(MAX_LENGTH - 2)) ? MAX_LENGTH - 2 : MAX_LENGTH - 1;
        return sentence.substring(0, end > MAX_LENGTH / 2 ? end : hard) + "…";
    }
}
