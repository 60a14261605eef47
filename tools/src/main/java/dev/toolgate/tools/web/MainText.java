package dev.toolgate.tools.web;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Finds the text a page is about, without what stands around it and what nobody can see. */
final class MainText {
    private static final String AROUND = "script, style, noscript, template, iframe, object, svg, canvas, nav, aside,"
            + " form, button, dialog, body > header, body > footer, [hidden], [aria-hidden=true], [role=navigation],"
            + " [role=banner], [role=contentinfo], [role=search], [role=dialog], [style*=display:none],"
            + " [style*=display: none], [style*=visibility:hidden], [style*=visibility: hidden]";
    private static final String BLOCKS = "p, li, pre, blockquote, h1, h2, h3, h4, h5, h6, td, th, dt, dd, figcaption";
    private static final String MAIN = "main, article, [role=main]";
    private static final int ENOUGH = 200;

    private MainText() {}

    static PageText of(String url, String html) {
        Document page = Jsoup.parse(html, url);
        String title = page.title();
        page.select(AROUND).remove();
        return new PageText(url, title, text(main(page)));
    }

    private static Element main(Document page) {
        Element body = page.body();
        for (Element marked : page.select(MAIN)) {
            if (marked.text().length() >= ENOUGH) {
                return marked;
            }
        }
        Map<Element, Double> scores = new HashMap<>();
        for (Element paragraph : body.select("p, pre, blockquote")) {
            Element parent = paragraph.parent();
            if (parent != null) {
                double words = wordsOfItsOwn(paragraph);
                scores.merge(parent, words, Double::sum);
                Element above = parent.parent();
                if (above != null) {
                    scores.merge(above, words / 2, Double::sum);
                }
            }
        }
        return scores.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .filter(best -> best.text().length() >= ENOUGH)
                .orElse(body);
    }

    // The text of links counts against a paragraph: lists of links are ways elsewhere.
    private static double wordsOfItsOwn(Element paragraph) {
        return paragraph.text().length() - 2.0 * paragraph.select("a").text().length();
    }

    private static String text(Element main) {
        Set<String> lines = new LinkedHashSet<>(); // what a page repeats is said once
        for (Element block : main.select(BLOCKS)) {
            if (block.select(BLOCKS).size() == 1 && block.hasText()) {
                lines.add(block.text());
            }
        }
        String blocks = String.join("\n", lines);
        String all = main.text();
        return blocks.length() * 2 >= all.length() ? blocks : all; // some pages use no paragraphs at all
    }
}
