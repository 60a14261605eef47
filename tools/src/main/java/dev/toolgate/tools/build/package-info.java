/** Builds on external services: starting, polling and cancelling them. */
@NullMarked
package dev.toolgate.tools.build;

import org.jspecify.annotations.NullMarked;
