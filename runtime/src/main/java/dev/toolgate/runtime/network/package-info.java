/** Outgoing HTTP: which addresses may be reached, by whom, and a client that keeps to it. */
@NullMarked
package dev.toolgate.runtime.network;

import org.jspecify.annotations.NullMarked;
