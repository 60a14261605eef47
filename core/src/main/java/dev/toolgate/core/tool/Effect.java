package dev.toolgate.core.tool;

/** Whether a call can change anything; one that can starts only after its intent is on record. */
public enum Effect {
    READS,
    CHANGES
}
