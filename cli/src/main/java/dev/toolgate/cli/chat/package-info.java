/** The chat command: conversations in a terminal. */
@NullMarked
package dev.toolgate.cli.chat;

import org.jspecify.annotations.NullMarked;
