/** The input and output of the gate: calls, outcomes, outputs and the error table. */
@NullMarked
package dev.toolgate.core.call;

import org.jspecify.annotations.NullMarked;
