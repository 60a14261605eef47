/** Selects the sandbox that confines commands on this system. */
@NullMarked
package dev.toolgate.runtime.sandbox;

import org.jspecify.annotations.NullMarked;
