/** GitHub tools for repositories, pull requests and files, with each tenant's own token. */
@NullMarked
package dev.toolgate.tools.github;

import org.jspecify.annotations.NullMarked;
