/**
 * HTTP: one table of routes on several ports, with authentication, limits and errors in one place. Independent of tools
 * and permissions.
 */
@NullMarked
package dev.toolgate.http;

import org.jspecify.annotations.NullMarked;
