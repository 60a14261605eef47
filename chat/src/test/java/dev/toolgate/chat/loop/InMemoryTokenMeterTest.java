package dev.toolgate.chat.loop;

class InMemoryTokenMeterTest extends TokenMeterContract {
    private final TokenMeter meter = TokenMeter.inMemory();

    @Override
    protected TokenMeter meter() {
        return meter;
    }

    @Override
    protected TokenMeter onAnotherServer() {
        return meter;
    }
}
