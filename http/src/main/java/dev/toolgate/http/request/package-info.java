/** What a request carries: its body within limits, its query, its source behind trusted proxies, its correlation id. */
@NullMarked
package dev.toolgate.http.request;

import org.jspecify.annotations.NullMarked;
