/** The chat command: a conversation in the terminal. */
@NullMarked
package dev.toolgate.cli.chat;

import org.jspecify.annotations.NullMarked;
