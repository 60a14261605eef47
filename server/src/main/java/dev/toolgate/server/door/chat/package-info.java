/** The door for conversations with language models: a WebSocket at {@code /ws}. */
@NullMarked
package dev.toolgate.server.door.chat;

import org.jspecify.annotations.NullMarked;
