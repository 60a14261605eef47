/** Log-ins of people through a real identity provider and through a malicious one. */
@NullMarked
package dev.toolgate.server.signon;

import org.jspecify.annotations.NullMarked;
