/**
 * The client of the gate: one object, {@link dev.toolgate.client.Toolgate}, through which an agent calls tools, asks for
 * permits to run its own, and administrators manage what agents may do.
 */
@NullMarked
package dev.toolgate.client;

import org.jspecify.annotations.NullMarked;
