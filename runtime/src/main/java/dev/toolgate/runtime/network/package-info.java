/** Outgoing HTTP: the address policy of each tenant, and a client that enforces it. */
@NullMarked
package dev.toolgate.runtime.network;

import org.jspecify.annotations.NullMarked;
