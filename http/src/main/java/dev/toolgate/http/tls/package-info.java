/** TLS certificates from PEM files, reloaded when they change. */
@NullMarked
package dev.toolgate.http.tls;

import org.jspecify.annotations.NullMarked;
