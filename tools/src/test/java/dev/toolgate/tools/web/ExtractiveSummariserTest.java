package dev.toolgate.tools.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExtractiveSummariserTest {
    private static final String TEXT = """
            Toolgate is a gate for agents. It was first released in March.
            Installation takes one command on Linux. Windows needs a few more steps.
            The database is embedded, so nothing else has to be installed. Prices start at nothing.
            Deployments to clusters are described elsewhere. The team likes cycling.""";

    private final ExtractiveSummariser summariser = new ExtractiveSummariser(90);

    @Test
    void sentences_are_selected_by_the_words_of_the_task() {
        assertThat(of("How do I install it on Windows?")).contains("Windows needs a few more steps.");
        assertThat(of("Deploying to a cluster")).isEqualTo("Deployments to clusters are described elsewhere.");
        assertThat(of("which database")).startsWith("The database is embedded");
    }

    @Test
    void without_common_words_central_sentences_are_selected() {
        assertThat(of("Summarize the page")).startsWith("Toolgate is a gate for agents.");
    }

    @Test
    void sentences_keep_their_order_and_the_length_is_limited() {
        String summary = of("installation and release on linux");
        assertThat(summary.indexOf("released")).isLessThan(summary.indexOf("Installation"));
        assertThat(summary).hasSizeLessThanOrEqualTo(90);
    }

    @Test
    void a_heading_is_not_joined_to_the_next_sentence() {
        String page = """
                Prices
                The small plan costs five euros. The large plan costs nine euros.
                Opening hours
                The shop opens at nine.""";

        String summary = new ExtractiveSummariser(500)
                .summarise(
                        new PageText("u", "Shop", page),
                        "What are the prices and costs, and when does the shop open? Opening hours, opens");

        assertThat(summary.lines())
                .contains("The small plan costs five euros. The large plan costs nine euros.")
                .contains("The shop opens at nine.");
    }

    @Test
    void the_summary_is_deterministic() {
        String first = of("cycling prices march");
        for (int i = 0; i < 20; i++) {
            assertThat(of("cycling prices march")).isEqualTo(first);
        }
    }

    @Test
    void unusual_pages_are_summarised() {
        assertThat(summariser.summarise(new PageText("u", "Title", ""), "x")).isEqualTo("Title\nThe page has no text.");
        assertThat(summariser.summarise(new PageText("u", "", "word ".repeat(100_000)), "word"))
                .hasSizeLessThan(700);
        assertThat(new ExtractiveSummariser(2000).summarise(new PageText("u", "", "🙂".repeat(5000)), "x"))
                .endsWith("…");
    }

    private String of(String task) {
        return summariser.summarise(new PageText("u", "", TEXT), task);
    }
}
