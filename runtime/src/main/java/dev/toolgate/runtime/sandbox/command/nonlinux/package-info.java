/** Commands on macOS and Windows; covered only by unit tests with an injected platform. */
@NullMarked
package dev.toolgate.runtime.sandbox.command.nonlinux;

import org.jspecify.annotations.NullMarked;
