/** The HTTP tool. */
@NullMarked
package dev.toolgate.runtime.tools.http;

import org.jspecify.annotations.NullMarked;
