package dev.toolgate.chat.model;

/**
 * A model that a provider offers.
 *
 * @param id used in requests
 * @param name for display
 */
public record ModelInfo(String id, String name) {}
