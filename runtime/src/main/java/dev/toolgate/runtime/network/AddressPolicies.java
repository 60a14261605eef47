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
    static AddressPolicies forAllTenants(AddressPolicy policy) {
        return _ -> policy;
    }

    /**
     * The public internet for every tenant, plus internal addresses for some of them.
     *
     * @param internalAddresses by tenant, in the format of {@link AddressPolicy#publicAnd}
     * @throws IllegalArgumentException if an entry is malformed
     */
    static AddressPolicies publicAnd(Map<TenantId, List<String>> internalAddresses) {
        Map<TenantId, AddressPolicy> own = new HashMap<>();
        internalAddresses.forEach((tenant, places) -> own.put(tenant, AddressPolicy.publicAnd(places)));
        AddressPolicy publicOnly = AddressPolicy.publicOnly();
        return tenant -> own.getOrDefault(tenant, publicOnly);
    }
}
