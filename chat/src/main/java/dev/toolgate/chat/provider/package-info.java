/** Clients for language models, one file each, and their shared parts. */
@NullMarked
package dev.toolgate.chat.provider;

import org.jspecify.annotations.NullMarked;
