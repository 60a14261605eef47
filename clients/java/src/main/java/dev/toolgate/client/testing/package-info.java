/** A gate for unit tests of agents: {@link dev.toolgate.client.testing.MockToolgate}. */
@NullMarked
package dev.toolgate.client.testing;

import org.jspecify.annotations.NullMarked;
