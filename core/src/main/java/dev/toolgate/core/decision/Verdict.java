package dev.toolgate.core.decision;

/** What one rule decided about a call. */
public record Verdict(String rule, Decision decision) {}
