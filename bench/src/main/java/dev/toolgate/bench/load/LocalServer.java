package dev.toolgate.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The gate's Jetty configuration with a handler that does one thing, usually reading and writing JSON. */
final class LocalServer implements AutoCloseable {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Server server;
    private final ServerConnector connector;

    /** Makes the answer to a request. */
    @FunctionalInterface
    interface Answer {
        void fill(JsonNode asked, ObjectNode answer);
    }

    /** On any free port. */
    LocalServer(Answer answer) throws Exception {
        this(0, new JsonHandler(answer));
    }

    private LocalServer(int port, Handler handler) throws Exception {
        server = new Server(new VirtualThreadPool(0));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        connector = new ServerConnector(server, 1, -1, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
    }

    static LocalServer start(int port, Handler handler) throws Exception {
        return new LocalServer(port, handler);
    }

    int port() {
        return connector.getLocalPort();
    }

    private static final class JsonHandler extends Handler.Abstract {
        private final Answer answer;

        JsonHandler(Answer answer) {
            this.answer = answer;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws IOException {
            ObjectNode filled = MAPPER.createObjectNode();
            answer.fill(MAPPER.readTree(Content.Source.asInputStream(request)), filled);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
            response.write(true, ByteBuffer.wrap(MAPPER.writeValueAsBytes(filled)), callback);
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (Exception unclean) {
            throw new IOException("A server of the benchmark did not stop.", unclean);
        }
    }
}
