/** Commands confined by the operating system. */
@NullMarked
package dev.toolgate.runtime.sandbox.command;

import org.jspecify.annotations.NullMarked;
