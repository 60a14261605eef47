package dev.toolgate.tools.web;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.NodeVisitor;

/** Finds the text a page is about, without what stands around it and what nobody can see. */
final class MainText {
    private static final String AROUND = "script, style, noscript, template, iframe, object, svg, canvas, nav, aside,"
            + " form, button, dialog, body > header, body > footer, [hidden], [aria-hidden=true], [role=navigation],"
            + " [role=banner], [role=contentinfo], [role=search], [role=dialog], [style*=display:none],"
            + " [style*=display: none], [style*=visibility:hidden], [style*=visibility: hidden]";
    private static final Pattern SPACES = Pattern.compile("[\\s\\u00a0]+");
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

    // A line for each block, so that no heading runs into the sentence after it.
    private static String text(Element main) {
        BlockLines blocks = new BlockLines();
        NodeTraversor.traverse(blocks, main);
        return String.join("\n", blocks.lines());
    }

    /** Collects the text of a page, a line for each of its blocks; what a page repeats is said once. */
    private static final class BlockLines implements NodeVisitor {
        private final Set<String> lines = new LinkedHashSet<>();
        private final StringBuilder line = new StringBuilder();

        @Override
        public void head(Node node, int depth) {
            if (node instanceof TextNode text) {
                line.append(text.getWholeText());
            } else if (breaksLine(node)) {
                end();
            }
        }

        @Override
        public void tail(Node node, int depth) {
            if (breaksLine(node)) {
                end();
            }
        }

        Set<String> lines() {
            end();
            return lines;
        }

        private void end() {
            String said = SPACES.matcher(line).replaceAll(" ").strip();
            if (!said.isEmpty()) {
                lines.add(said);
            }
            line.setLength(0);
        }

        // Jsoup counts what may hold paragraphs as blocks; cells and items of lists stand alone as well.
        private static boolean breaksLine(Node node) {
            return node instanceof Element element
                    && (element.isBlock() || element.normalName().equals("br"));
        }
    }
}
