/** The client for the HTTP API of a running server. */
@NullMarked
package dev.toolgate.cli.client;

import org.jspecify.annotations.NullMarked;
