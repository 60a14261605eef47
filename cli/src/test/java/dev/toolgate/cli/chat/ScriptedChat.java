package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.client.ServerAddress;
import dev.toolgate.core.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Callback.Completable;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A server with a scripted side of a conversation; each connection runs the script from the start. */
public final class ScriptedChat {
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final Map<String, String> pages = new ConcurrentHashMap<>();
    private final BlockingQueue<Throwable> mistakes = new LinkedBlockingQueue<>();
    private final BlockingQueue<Script> scripts = new LinkedBlockingQueue<>();
    private volatile @Nullable String credentials;
    private volatile int refusal;

    /** The server's side of one connection. */
    public interface Script {
        void run(Talk talk) throws Exception;
    }

    public ScriptedChat() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        WebSocketUpgradeHandler sockets = WebSocketUpgradeHandler.from(
                server,
                container -> container.addMapping("/ws", (request, response, callback) -> {
                    credentials = request.getHeaders().get("Authorization");
                    if (refusal != 0) {
                        Response.writeError(request, response, callback, refusal);
                        return null;
                    }
                    return new Talk(scripts.take());
                }));
        sockets.setHandler(new Pages());
        server.setHandler(sockets);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + connector.getLocalPort();
    }

    public ServerAddress address() {
        return ServerAddress.of(url());
    }

    /** The script of the next connection. */
    public ScriptedChat then(Script script) {
        scripts.add(script);
        return this;
    }

    /** Refuses every connection with this status. */
    public void refuses(int status) {
        refusal = status;
    }

    /** Sets the response of a path. */
    public ScriptedChat page(String path, String json) {
        pages.put(path, json);
        return this;
    }

    @Nullable
    public String credentials() {
        return credentials;
    }

    /** Stops, and throws the failures of the scripts. */
    public void stop() throws Exception {
        server.stop();
        assertThat(mistakes).isEmpty();
    }

    /** One connection. */
    public final class Talk extends Session.Listener.AbstractAutoDemanding {
        private final Script script;
        private final BlockingQueue<JsonNode> heard = new LinkedBlockingQueue<>();
        private final Semaphore pongs = new Semaphore(0);

        private Talk(Script script) {
            this.script = script;
        }

        @Override
        public void onWebSocketOpen(Session session) {
            super.onWebSocketOpen(session);
            Thread.ofVirtual().start(() -> {
                try {
                    script.run(this);
                } catch (Exception | AssertionError mistake) {
                    mistakes.add(mistake);
                }
            });
        }

        @Override
        public void onWebSocketPong(ByteBuffer payload) {
            pongs.release();
        }

        @Override
        public void onWebSocketText(String message) {
            heard.add(Json.MAPPER.readTree(message));
        }

        /** The payload of the next received message, which must have this type. */
        public JsonNode hear(String type) throws InterruptedException {
            JsonNode envelope = heard.poll(60, TimeUnit.SECONDS);
            assertThat(envelope).as("waiting for " + type).isNotNull();
            assertThat(envelope.path("type").asString()).isEqualTo(type);
            return envelope.path("payload");
        }

        /** Sends the connection status. */
        Talk greet(String status) {
            return say("connection:status", status);
        }

        public Talk greetAdmin() {
            return greet("{'status': 'connected', 'role': 'admin', 'agent_id': null, 'may_approve': true}");
        }

        public Talk greetAgent() {
            return greet("{'status': 'connected', 'role': 'agent', 'agent_id': 'writer', 'may_approve': false}");
        }

        /** Sends a message, as JSON with single quotes. */
        public Talk say(String type, String payload) {
            ObjectNode envelope = Json.MAPPER.createObjectNode().put("type", type);
            envelope.set("payload", Json.MAPPER.readTree(payload.replace('\'', '"')));
            // Must be sent before anything else happens, including the end of the connection.
            Completable.with(sent -> getSession().sendText(envelope.toString(), sent))
                    .join();
            return this;
        }

        public Talk start() {
            return say("chat:stream-start", "{'message_id': 'm', 'model': 'x'}");
        }

        public Talk text(String text) {
            return say(
                    "chat:text-delta", "{'message_id': 'm', 'content': " + Json.MAPPER.writeValueAsString(text) + "}");
        }

        /** Ends an answer with these messages for the history. */
        public Talk end(String messages) {
            return say("chat:stream-end", "{'message_id': 'm', 'partial': false, 'messages': " + messages + "}");
        }

        public void ping() {
            getSession().sendPing(ByteBuffer.allocate(0), org.eclipse.jetty.websocket.api.Callback.NOOP);
        }

        public void close(int code, String reason) {
            getSession().close(code, reason, org.eclipse.jetty.websocket.api.Callback.NOOP);
        }

        /** Drops all connections without a close frame, after the client has received everything. */
        public void vanish() throws InterruptedException {
            ping();
            assertThat(pongs.tryAcquire(60, TimeUnit.SECONDS))
                    .as("answers a ping")
                    .isTrue();
            connector.getConnectedEndPoints().forEach(EndPoint::close);
        }
    }

    private final class Pages extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            String page = pages.get(Request.getPathInContext(request));
            response.setStatus(page == null ? 401 : 200);
            String body = page == null
                    ? "{\"error\": {\"message\": \"The key is not valid.\", \"remediation\": \"Send another.\"}}"
                    : page.replace('\'', '"');
            response.write(true, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), callback);
            return true;
        }
    }
}
