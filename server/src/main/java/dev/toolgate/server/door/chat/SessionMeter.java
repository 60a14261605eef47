package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.TokenMeter;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.session.SessionTokens;

/** Counts the tokens of one policy session across conversations and servers. */
record SessionMeter(SessionTokens tokens, TenantId tenant, SessionId session) implements TokenMeter {
    @Override
    public long spent() {
        return tokens.spent(tenant, session);
    }

    @Override
    public long reserve(long min, long wanted, long max) {
        return tokens.reserve(tenant, session, min, wanted, max);
    }

    @Override
    public void settle(long reserved, long used) {
        tokens.settle(tenant, session, reserved, used);
    }
}
