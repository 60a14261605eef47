/**
 * The gate between a Spring AI chat client and its tools: {@link dev.toolgate.springai.GatedToolCallingManager} for the
 * application's own tools, {@link dev.toolgate.springai.ToolgateToolCallbacks} for those that the gate runs.
 */
@NullMarked
package dev.toolgate.springai;

import org.jspecify.annotations.NullMarked;
