@NullMarked
package dev.toolgate.http.server;

import org.jspecify.annotations.NullMarked;
