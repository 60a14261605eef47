/** The door for conversations with language models: a WebSocket at {@code /ws}. */
@NullMarked
package dev.toolgate.server.dialect.chat;

import org.jspecify.annotations.NullMarked;
