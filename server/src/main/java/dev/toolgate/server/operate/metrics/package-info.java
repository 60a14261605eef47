/** Counting and timing what goes through the gate. */
@NullMarked
package dev.toolgate.server.operate.metrics;

import org.jspecify.annotations.NullMarked;
