/** Conversations over the chat door, seen from outside. */
@NullMarked
package dev.toolgate.server.chat;

import org.jspecify.annotations.NullMarked;
