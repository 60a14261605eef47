/** {@code toolgate hooks} and {@code toolgate run}: put the own tools of coding agents behind the gate. */
@NullMarked
package dev.toolgate.cli.hook;

import org.jspecify.annotations.NullMarked;
