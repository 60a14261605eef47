package dev.toolgate.server.dialect.chat;

import dev.toolgate.chat.loop.TokenMeter;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.policy.SessionTokens;

/** The tokens of one session, over all its conversations and servers. */
record SessionMeter(SessionTokens tokens, TenantId tenant, SessionId session) implements TokenMeter {
    @Override
    public long spent() {
        return tokens.spent(tenant, session);
    }

    @Override
    public void spend(Usage usage) {
        tokens.spend(tenant, session, usage.total());
    }
}
