/** The sources of secrets for tools. */
@NullMarked
package dev.toolgate.server.secret;

import org.jspecify.annotations.NullMarked;
