package dev.toolgate.core.redact;

/**
 * A value with its secrets masked.
 *
 * @param characters how many characters were masked
 */
public record Masked<T>(T value, long characters) {}
