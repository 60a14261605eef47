/**
 * HTTP: one table of routes on several ports, with authentication, limits and errors in one place. Knows nothing of tools
 * or permissions.
 */
@NullMarked
package dev.toolgate.http;

import org.jspecify.annotations.NullMarked;
