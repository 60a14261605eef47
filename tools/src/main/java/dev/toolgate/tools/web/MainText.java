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

/** Extracts the main text of a page, without navigation and other boilerplate and without hidden elements. */
final class MainText {
    private static final String BOILERPLATE =
            "script, style, noscript, template, iframe, object, svg, canvas, nav, aside,"
                    + " form, button, dialog, body > header, body > footer, [hidden], [aria-hidden=true], [role=navigation],"
                    + " [role=banner], [role=contentinfo], [role=search], [role=dialog], [style*=display:none],"
                    + " [style*=display: none], [style*=visibility:hidden], [style*=visibility: hidden]";
    private static final Pattern SPACES = Pattern.compile("[\\s\\u00a0]+");
    private static final String MAIN = "main, article, [role=main]";
    private static final int MIN_LENGTH = 200;

    private MainText() {}

    static PageText of(String url, String html) {
        Document page = Jsoup.parse(html, url);
        String title = page.title();
        page.select(BOILERPLATE).remove();
        return new PageText(url, title, text(main(page)));
    }

    private static Element main(Document page) {
        Element body = page.body();
        for (Element marked : page.select(MAIN)) {
            if (marked.text().length() >= MIN_LENGTH) {
                return marked;
            }
        }
        Map<Element, Double> scores = new HashMap<>();
        for (Element paragraph : body.select("p, pre, blockquote")) {
            Element parent = paragraph.parent();
            if (parent != null) {
                double length = ownTextLength(paragraph);
                scores.merge(parent, length, Double::sum);
                Element above = parent.parent();
                if (above != null) {
                    scores.merge(above, length / 2, Double::sum);
                }
            }
        }
        return scores.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .filter(best -> best.text().length() >= MIN_LENGTH)
                .orElse(body);
    }

    // Link text counts against a paragraph, because lists of links are navigation.
    private static double ownTextLength(Element paragraph) {
        return paragraph.text().length() - 2.0 * paragraph.select("a").text().length();
    }

    // One line per block element, so that headings are separated from the following text.
    private static String text(Element main) {
        BlockLines blocks = new BlockLines();
        NodeTraversor.traverse(blocks, main);
        return String.join("\n", blocks.lines());
    }

    /** Collects the text of a page, one line per block element, without duplicates. */
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
            String text = SPACES.matcher(line).replaceAll(" ").strip();
            if (!text.isEmpty()) {
                lines.add(text);
            }
            line.setLength(0);
        }

        // Jsoup's block elements include table cells and list items.
        private static boolean breaksLine(Node node) {
            return node instanceof Element element
                    && (element.isBlock() || element.normalName().equals("br"));
        }
    }
}
