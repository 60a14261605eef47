/** The loop in which a model uses tools: ask, run the called tools, return the results, ask again. */
@NullMarked
package dev.toolgate.chat.loop;

import org.jspecify.annotations.NullMarked;
