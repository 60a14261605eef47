/** The path of a call: admit, bind, decide, hold, run, seal. */
@NullMarked
package dev.toolgate.core.pipeline;

import org.jspecify.annotations.NullMarked;
