/** Conversations, between a scripted model and a client. */
@NullMarked
package dev.toolgate.bench.chat;

import org.jspecify.annotations.NullMarked;
