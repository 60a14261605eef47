package dev.toolgate.integrations;

import dev.langchain4j.agent.tool.Tool;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A tool of an application, annotated for both frameworks, which notes what it was really called with. */
class Deployments {
    private final List<String> hosts = new CopyOnWriteArrayList<>();
    private final CountDownLatch hanging = new CountDownLatch(1);

    @Tool("Deploys the services to a host.")
    @org.springframework.ai.tool.annotation.Tool(description = "Deploys the services to a host.")
    public String deploy(String host) throws InterruptedException {
        hosts.add(host);
        switch (host) {
            case "broken" -> throw new IllegalStateException("no route to host");
            case "flaky" -> {
                if (hosts.size() < 3) {
                    throw new IllegalStateException("connection reset");
                }
            }
            case "hanging" -> {
                hanging.countDown();
                new CountDownLatch(1).await();
            }
            default -> {}
        }
        return "Deployed to " + host;
    }

    /** The hosts it was called with, in their order. */
    List<String> hosts() {
        return hosts;
    }

    /** Waits until it hangs. */
    void awaitHanging() throws InterruptedException {
        hanging.await();
    }
}
