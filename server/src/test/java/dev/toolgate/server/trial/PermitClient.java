package dev.toolgate.server.trial;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of a client that runs a tool itself: it asks for a permit, has an effect, and reports it. It notes every
 * step in a file before or after it is made, so that it can be killed at any time and started again.
 */
public final class PermitClient {
    static final String TOOL = "deploy";
    static final String AGENT = "agent";
    static final int PERMIT_SECONDS = 20;

    private static final int WORKERS = 4;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Path folder;
    private final int total;
    private int next;

    private PermitClient(Path folder, int total) throws IOException {
        this.folder = folder;
        this.total = total;
        this.next = lines(folder, "started").size();
    }

    public static void main(String[] arguments) throws Exception {
        PermitClient client = new PermitClient(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        System.out.println(TrialMain.READY);
        try (ExecutorService workers = Executors.newFixedThreadPool(WORKERS)) {
            Callable<Boolean> work = () -> {
                client.work();
                return true;
            };
            for (Future<Boolean> worker : workers.invokeAll(Collections.nCopies(WORKERS, work))) {
                worker.get();
            }
        }
        note(client.folder, "done", "done");
    }

    static List<String> lines(Path folder, String file) throws IOException {
        Path path = folder.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    private static synchronized void note(Path folder, String file, String line) throws IOException {
        Files.writeString(folder.resolve(file), line + "\n", CREATE, APPEND);
    }

    private synchronized String begin() throws IOException {
        if (next >= total) {
            return "";
        }
        String request = "p" + next++;
        note(folder, "started", request);
        return request;
    }

    private void work() throws IOException {
        for (String request = begin(); !request.isEmpty(); request = begin()) {
            Reply permit = untilAnswered("/api/v1/tools/authorize", authorize(request));
            if (permit.json().path("outcome").asString("").equals("authorized")) {
                note(folder, "effects", request);
                Reply reported = untilAnswered(
                        "/api/v1/calls/" + request + "/outcome?agent_id=" + AGENT, "{\"status\": \"succeeded\"}");
                if (reported.status() == 200) {
                    note(folder, "acknowledged", request);
                }
            }
        }
    }

    static String authorize(String request) {
        return Client.call(request, AGENT, TOOL, "{}").replaceFirst("\\{", "{\"expires_in\": " + PERMIT_SECONDS + ", ");
    }

    // Retries the same request after a lost response, while the gate is down, and after a retryable error.
    private Reply untilAnswered(String path, String body) throws IOException {
        while (true) {
            try {
                String url = Files.readString(folder.resolve("url"));
                Reply reply =
                        new Client(url, TrialDatabase.ADMIN_KEY).attempt("POST", path, BodyPublishers.ofString(body));
                if (reply.status() < 500 && !reply.text().contains("\"retryable\":true")) {
                    return reply;
                }
            } catch (ConnectException down) {
                // killed
            } catch (IOException cut) {
                // killed while it answered
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
    }
}
