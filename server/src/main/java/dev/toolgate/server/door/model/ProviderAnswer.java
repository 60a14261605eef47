package dev.toolgate.server.door.model;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.server.model.ModelEndpoint;
import dev.toolgate.server.model.ModelProviders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A provider as a JSON response.
 *
 * @param keyConfigured whether the caller's tenant has a usable key for it
 */
record ProviderAnswer(String name, String baseUrl, boolean keyConfigured) {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderAnswer.class);

    static ProviderAnswer of(ModelEndpoint endpoint, ModelProviders providers, TenantId tenant) {
        return new ProviderAnswer(
                endpoint.provider(), endpoint.baseUrl().toString(), hasKey(endpoint, providers, tenant));
    }

    private static boolean hasKey(ModelEndpoint endpoint, ModelProviders providers, TenantId tenant) {
        try {
            return providers.key(endpoint, tenant).isPresent();
        } catch (Unavailable unusable) {
            LOG.warn("The key for {} cannot be used: {}", endpoint.provider(), unusable.getMessage());
            return false;
        }
    }
}
