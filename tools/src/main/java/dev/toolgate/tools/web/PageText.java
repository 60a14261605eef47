package dev.toolgate.tools.web;

/**
 * What a page says.
 *
 * @param url where it is
 * @param text its main text, a paragraph a line
 */
public record PageText(String url, String title, String text) {}
