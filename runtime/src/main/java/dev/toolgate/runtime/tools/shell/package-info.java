/** The shell tool. */
@NullMarked
package dev.toolgate.runtime.tools.shell;

import org.jspecify.annotations.NullMarked;
