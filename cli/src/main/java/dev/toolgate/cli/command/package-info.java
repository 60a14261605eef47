/** Commands that administer a running server. */
@NullMarked
package dev.toolgate.cli.command;

import org.jspecify.annotations.NullMarked;
