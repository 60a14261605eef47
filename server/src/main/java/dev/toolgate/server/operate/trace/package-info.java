/** Traces of calls, for OpenTelemetry collectors. */
@NullMarked
package dev.toolgate.server.operate.trace;

import org.jspecify.annotations.NullMarked;
