package dev.toolgate.runtime.sandbox.files;

import org.jspecify.annotations.Nullable;

/**
 * Puts one content of a file in the place of another, if the file is still what is expected.
 *
 * @param place the real path of the file relative to its root
 * @param expected {@code null} if there must be no file
 * @param wanted {@code null} to remove the file; never {@code null} together with {@code expected}
 * @param mode the permission bits of a file that is made again; one that is replaced keeps its own
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record FileSwap(String place, byte @Nullable [] expected, byte @Nullable [] wanted, int mode) {}
