/** Whether an agent may use a tool, asked of several engines with the same data. */
@NullMarked
package dev.toolgate.bench.decision;

import org.jspecify.annotations.NullMarked;
