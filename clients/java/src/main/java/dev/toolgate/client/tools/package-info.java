/**
 * Tools for language models, under the gate: {@link dev.toolgate.client.tools.GatedTools}. Adapters to frameworks are built
 * on it, and so can be any program that runs the calls of a model itself.
 */
@NullMarked
package dev.toolgate.client.tools;

import org.jspecify.annotations.NullMarked;
