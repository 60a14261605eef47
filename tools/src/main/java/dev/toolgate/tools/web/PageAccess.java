package dev.toolgate.tools.web;

import dev.toolgate.runtime.network.GuardedFetch;

/** Fetches and renders pages for a tenant, within its address policy. */
public record PageAccess(GuardedFetch fetch, Renderer renderer) {}
