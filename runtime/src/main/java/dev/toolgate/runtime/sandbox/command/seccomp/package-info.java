/** The system calls that confined commands may not make, as a program for the kernel. */
@NullMarked
package dev.toolgate.runtime.sandbox.command.seccomp;

import org.jspecify.annotations.NullMarked;
