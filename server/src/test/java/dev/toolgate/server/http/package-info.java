@NullMarked
package dev.toolgate.server.http;

import org.jspecify.annotations.NullMarked;
