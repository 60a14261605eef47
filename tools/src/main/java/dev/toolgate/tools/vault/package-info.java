/** Secrets kept in HashiCorp Vault or OpenBao. */
@NullMarked
package dev.toolgate.tools.vault;

import org.jspecify.annotations.NullMarked;
