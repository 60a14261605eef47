package dev.toolgate.tools.web;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Tells pages whose text is there from those whose text is yet to be made by scripts. */
final class Scripted {
    private static final int ENOUGH_TEXT = 250;

    private Scripted() {}

    static boolean needsScripts(String html) {
        Document page = Jsoup.parse(html);
        if (page.select("script").isEmpty()) {
            return false;
        }
        page.select("script, style, noscript, template").remove();
        return page.body().text().length() < ENOUGH_TEXT;
    }
}
