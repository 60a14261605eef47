/** Requests to language models and their streamed answers, independent of the provider. */
@NullMarked
package dev.toolgate.chat.model;

import org.jspecify.annotations.NullMarked;
