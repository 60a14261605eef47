package dev.toolgate.runtime.network;

import dev.toolgate.core.call.TenantId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which addresses each tenant may reach. */
@FunctionalInterface
public interface AddressPolicies {
    AddressPolicy of(TenantId tenant);

    /** One policy for every tenant. */
    static AddressPolicies same(AddressPolicy policy) {
        return _ -> policy;
    }

    /**
     * The public internet for every tenant, and for some of them internal places as well.
     *
     * @param internalPlaces by tenant, each as {@link AddressPolicy#publicAnd} takes it
     * @throws IllegalArgumentException if one of them is written in another way
     */
    static AddressPolicies publicAnd(Map<TenantId, List<String>> internalPlaces) {
        Map<TenantId, AddressPolicy> own = new HashMap<>();
        internalPlaces.forEach((tenant, places) -> own.put(tenant, AddressPolicy.publicAnd(places)));
        AddressPolicy publicOnly = AddressPolicy.publicOnly();
        return tenant -> own.getOrDefault(tenant, publicOnly);
    }
}
