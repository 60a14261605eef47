package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Outcome;
import java.time.Duration;

/** Hears of every call when it comes and when it is over. */
public interface CallEvents {

    /** Pays no attention. */
    CallEvents NONE = new CallEvents() {
        @Override
        public void requested(Call call) {}

        @Override
        public void completed(Call call, Outcome outcome, Duration took) {}
    };

    /** A call has come; said once, however often it is held and goes on. */
    void requested(Call call);

    /** A call is over. */
    void completed(Call call, Outcome outcome, Duration took);
}
