/** The seccomp filter for confined commands. */
@NullMarked
package dev.toolgate.runtime.sandbox.command.seccomp;

import org.jspecify.annotations.NullMarked;
