package dev.toolgate.tools.web;

import dev.toolgate.runtime.network.GuardedFetch;

/** How pages are fetched and rendered for a tenant; both reach no other addresses than the tenant may. */
public record PageAccess(GuardedFetch fetch, Renderer renderer) {}
