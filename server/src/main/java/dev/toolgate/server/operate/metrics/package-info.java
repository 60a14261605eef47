/** Metrics of calls and requests. */
@NullMarked
package dev.toolgate.server.operate.metrics;

import org.jspecify.annotations.NullMarked;
