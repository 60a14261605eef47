/** What goes through the gate and what comes out: calls, outcomes, outputs and the error table. */
@NullMarked
package dev.toolgate.core.call;

import org.jspecify.annotations.NullMarked;
