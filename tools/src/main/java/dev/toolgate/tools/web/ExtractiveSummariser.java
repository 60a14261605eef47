package dev.toolgate.tools.web;

import dev.toolgate.core.tool.ToolContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Selects the sentences of a page that share most words with the task, weighted by rarity; if the task shares no words
 * with the page, the sentences that share most words with the rest of the page. Deterministic.
 */
public final class ExtractiveSummariser implements Summariser {
    private static final int MAX_SENTENCES = 2000;

    private final int maxCharacters;

    public ExtractiveSummariser(int maxCharacters) {
        this.maxCharacters = maxCharacters;
    }

    private record Candidate(int position, Sentences.Sentence sentence, Set<String> words, double score) {
        Candidate scored(double newScore) {
            return new Candidate(position, sentence, words, newScore);
        }

        String text() {
            return sentence.text();
        }
    }

    @Override
    public Summary summarise(PageText page, String task, ToolContext context) {
        return Summary.extracted(summarise(page, task));
    }

    String summarise(PageText page, String task) {
        List<Candidate> candidates = candidates(page.text());
        Map<String, Integer> frequency = new HashMap<>();
        candidates.forEach(candidate -> candidate.words().forEach(word -> frequency.merge(word, 1, Integer::sum)));
        Set<String> wanted = new HashSet<>(Sentences.words(task));
        wanted.retainAll(frequency.keySet());
        String chosen = pick(candidates.stream()
                .map(candidate -> candidate.scored(
                        wanted.isEmpty()
                                ? centrality(candidate, frequency, candidates.size())
                                : closeness(candidate, wanted, frequency, candidates.size())))
                .toList());
        String text = chosen.isEmpty() ? "The page has no text." : chosen;
        return page.title().isBlank() ? text : page.title() + "\n" + text;
    }

    private static List<Candidate> candidates(String text) {
        List<Candidate> candidates = new ArrayList<>();
        for (Sentences.Sentence sentence : Sentences.of(text, MAX_SENTENCES)) {
            candidates.add(new Candidate(candidates.size(), sentence, Set.copyOf(Sentences.words(sentence.text())), 0));
        }
        return candidates;
    }

    private static double closeness(Candidate candidate, Set<String> wanted, Map<String, Integer> frequency, int all) {
        double shared = 0;
        for (String word : wanted) {
            if (candidate.words().contains(word)) {
                shared += Math.log(1.0 + (double) all / frequency.getOrDefault(word, 1));
            }
        }
        return shared == 0
                ? 0
                : shared / Math.sqrt(Math.max(8, candidate.words().size())) + early(candidate, all);
    }

    private static double centrality(Candidate candidate, Map<String, Integer> frequency, int all) {
        double sum = 0;
        for (String word : candidate.words()) {
            sum += frequency.getOrDefault(word, 0) - 1;
        }
        return sum / Math.max(8, candidate.words().size()) / all + early(candidate, all) + Double.MIN_VALUE;
    }

    // Sentences at the beginning are usually more relevant.
    private static double early(Candidate candidate, int all) {
        return 0.1 * (all - candidate.position()) / all;
    }

    private String pick(List<Candidate> scored) {
        List<Candidate> best = scored.stream()
                .filter(candidate -> candidate.score() > 0)
                .sorted(Comparator.comparingDouble(Candidate::score).reversed().thenComparingInt(Candidate::position))
                .toList();
        List<Candidate> chosen = new ArrayList<>();
        int room = maxCharacters;
        for (Candidate candidate : best) {
            if (candidate.text().length() <= room) {
                chosen.add(candidate);
                room -= candidate.text().length() + 1;
            }
        }
        chosen.sort(Comparator.comparingInt(Candidate::position));
        return joined(chosen);
    }

    // Sentences of one paragraph stay on one line; other paragraphs and headings start a new one.
    private static String joined(List<Candidate> chosen) {
        StringBuilder text = new StringBuilder();
        int paragraph = -1;
        for (Candidate candidate : chosen) {
            if (!text.isEmpty()) {
                text.append(candidate.sentence().paragraph() == paragraph ? ' ' : '\n');
            }
            text.append(candidate.text());
            paragraph = candidate.sentence().paragraph();
        }
        return text.toString();
    }
}
