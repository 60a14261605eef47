package dev.toolgate.chat.model;

/**
 * A model that a provider offers.
 *
 * @param id what a request names it by
 * @param name what people call it
 */
public record ModelInfo(String id, String name) {}
