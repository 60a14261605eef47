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

/** What the server is measured against: Jetty, set up the same way, that reads JSON and answers JSON and no more. */
final class BareRoute extends Handler.Abstract implements AutoCloseable {
    private final JsonMapper mapper = new JsonMapper();
    private final Server server = new Server(new VirtualThreadPool(0));
    private final ServerConnector connector;

    BareRoute() throws Exception {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        connector = new ServerConnector(server, 1, -1, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(this);
        server.start();
    }

    int port() {
        return connector.getLocalPort();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        JsonNode asked = mapper.readTree(Content.Source.asInputStream(request));
        ObjectNode answer = mapper.createObjectNode();
        answer.put("status", "success");
        answer.put("request_id", asked.path("request_id").asString());
        answer.put("logged", false);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.write(true, ByteBuffer.wrap(mapper.writeValueAsBytes(answer)), callback);
        return true;
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (Exception unclean) {
            throw new IOException("The bare route did not stop.", unclean);
        }
    }
}
