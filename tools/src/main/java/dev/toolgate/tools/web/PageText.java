package dev.toolgate.tools.web;

/**
 * The extracted text of a page.
 *
 * @param url the final address
 * @param text its main text, one paragraph per line
 */
public record PageText(String url, String title, String text) {}
