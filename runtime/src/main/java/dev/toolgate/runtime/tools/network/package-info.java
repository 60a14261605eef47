/** The HTTP tool, and the rule about which addresses may be reached. */
@NullMarked
package dev.toolgate.runtime.tools.network;

import org.jspecify.annotations.NullMarked;
