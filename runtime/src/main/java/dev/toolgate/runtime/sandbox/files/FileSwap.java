package dev.toolgate.runtime.sandbox.files;

import org.jspecify.annotations.Nullable;

/**
 * Replaces, creates or removes a file if it still has the expected content (compare and swap).
 *
 * @param place the real path of the file relative to its root
 * @param expected {@code null} if there must be no file
 * @param wanted {@code null} to remove the file; never {@code null} together with {@code expected}
 * @param mode the permission bits of a created file; a replaced file keeps its own
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record FileSwap(String place, byte @Nullable [] expected, byte @Nullable [] wanted, int mode) {}
