package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.TokenMeter;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.session.SessionTokens;

/** The tokens of one session, over all its conversations and servers. */
record SessionMeter(SessionTokens tokens, TenantId tenant, SessionId session) implements TokenMeter {
    @Override
    public long spent() {
        return tokens.spent(tenant, session);
    }

    @Override
    public long reserve(long least, long wanted, long most) {
        return tokens.reserve(tenant, session, least, wanted, most);
    }

    @Override
    public void settle(long reserved, long used) {
        tokens.settle(tenant, session, reserved, used);
    }
}
