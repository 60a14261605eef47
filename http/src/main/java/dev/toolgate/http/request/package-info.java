/** Parts of a request: bounded body, query, client address behind trusted proxies, correlation id. */
@NullMarked
package dev.toolgate.http.request;

import org.jspecify.annotations.NullMarked;
