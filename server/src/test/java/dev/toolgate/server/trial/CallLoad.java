package dev.toolgate.server.trial;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Concurrent calls of every kind from many clients, until the server fails. */
final class CallLoad {
    private static final int KINDS = 5;

    private final Map<String, String> logged = new ConcurrentHashMap<>();
    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private final Client client;
    private final String agent;
    private final String prefix;
    private final int calls;

    CallLoad(Client client, String agent, String prefix, int calls) {
        this.client = client;
        this.agent = agent;
        this.prefix = prefix;
        this.calls = calls;
    }

    /** The failure of the server. */
    interface Blow {
        void fall() throws Exception;
    }

    /** Sends the calls; after a number of answers the server fails, and the rest stay unanswered. */
    void run(int clients, int until, Blow blow) throws Exception {
        CountDownLatch enough = new CountDownLatch(until);
        List<Future<?>> working = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < clients; i++) {
                working.add(threads.submit(() -> work(enough)));
            }
            enough.await();
            blow.fall();
        }
        for (Future<?> work : working) {
            work.get();
        }
    }

    private void work(CountDownLatch enough) {
        for (int i = next.getAndIncrement(); i < calls; i = next.getAndIncrement()) {
            // Every fifth call repeats a running or recent one of another client.
            String request = prefix + (i % KINDS == KINDS - 1 ? i - 2 : i);
            sent.add(request);
            try {
                Reply reply =
                        client.attempt("POST", "/api/v1/tools/execute", BodyPublishers.ofString(call(request, agent)));
                answers.incrementAndGet();
                enough.countDown();
                if (reply.logged()) {
                    String other = logged.putIfAbsent(request, reply.text());
                    if (other != null && !other.equals(reply.text())) {
                        throw new AssertionError("Two answers to " + request + ": " + other + " and " + reply.text());
                    }
                }
            } catch (IOException gone) {
                return;
            }
        }
    }

    /** The call of a request id, which encodes its kind. */
    static String call(String request, String agent) {
        return Client.call(request, agent, tool(request), "{}");
    }

    static boolean isNote(String request) {
        return tool(request).equals("note");
    }

    private static String tool(String request) {
        int number = Integer.parseInt(request.substring(request.indexOf('-') + 1));
        return switch (number % KINDS) {
            case 0 -> number % (2 * KINDS) == 0 ? "look" : "send";
            case 1 -> "forbidden";
            case 2 -> "note";
            default -> "stumble";
        };
    }

    int answers() {
        return answers.get();
    }

    /** The calls answered as logged, by request id. */
    Map<String, String> logged() {
        return logged;
    }

    Set<String> sent() {
        return sent;
    }
}
