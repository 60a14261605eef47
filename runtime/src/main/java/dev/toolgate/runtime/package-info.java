/** The embeddable tool runtime: one router in front of the built-in tools. */
@NullMarked
package dev.toolgate.runtime;

import org.jspecify.annotations.NullMarked;
