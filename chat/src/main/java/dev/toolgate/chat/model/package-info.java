/** What is said to a language model and what comes back, whichever provider it is. */
@NullMarked
package dev.toolgate.chat.model;

import org.jspecify.annotations.NullMarked;
