package dev.toolgate.client.tools;

import org.jspecify.annotations.Nullable;

/**
 * A call of a tool that a language model asks for.
 *
 * @param id the id that the model gave the call; null if it gave none
 * @param tool the name of the tool
 * @param arguments the arguments as the model wrote them: JSON text, or nothing if there are none
 */
public record ModelCall(
        @Nullable String id, String tool, @Nullable String arguments) {}
