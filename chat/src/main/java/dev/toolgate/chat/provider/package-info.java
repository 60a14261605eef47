/** Clients for language models: one file each, and the small parts they share. */
@NullMarked
package dev.toolgate.chat.provider;

import org.jspecify.annotations.NullMarked;
