package dev.toolgate.http.events;

/** The last event of any stream that follows a feed, if the server has to end it. */
enum StreamEnd implements EventType {
    /** Events were lost; the data says what to do. */
    CUT;

    @Override
    public String wireName() {
        return "cut";
    }
}
