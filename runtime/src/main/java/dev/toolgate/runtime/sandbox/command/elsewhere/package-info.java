/** Commands on macOS and Windows, checked by unit tests with an injected platform only. */
@NullMarked
package dev.toolgate.runtime.sandbox.command.elsewhere;

import org.jspecify.annotations.NullMarked;
