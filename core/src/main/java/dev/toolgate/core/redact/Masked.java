package dev.toolgate.core.redact;

/**
 * What is left of a value once its secrets are masked.
 *
 * @param characters how many characters of it are masked
 */
public record Masked<T>(T value, long characters) {}
