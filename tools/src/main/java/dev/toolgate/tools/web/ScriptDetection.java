package dev.toolgate.tools.web;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Detects pages whose text is created by scripts. */
final class ScriptDetection {
    private static final int MIN_TEXT_LENGTH = 250;

    private ScriptDetection() {}

    static boolean needsScripts(String html) {
        Document page = Jsoup.parse(html);
        if (page.select("script").isEmpty()) {
            return false;
        }
        page.select("script, style, noscript, template").remove();
        return page.body().text().length() < MIN_TEXT_LENGTH;
    }
}
