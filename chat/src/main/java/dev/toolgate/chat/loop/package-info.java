/** The loop in which a model uses tools: ask, run what it calls, tell it what came of it, ask again. */
@NullMarked
package dev.toolgate.chat.loop;

import org.jspecify.annotations.NullMarked;
