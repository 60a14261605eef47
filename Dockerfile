# Toolgate in a container: docker build -t toolgate .
# Base images by digest, for reproducible builds. To update one: docker buildx imagetools inspect IMAGE:TAG
FROM maven:3-eclipse-temurin-25@sha256:93b8a14ea2f412782e4e842651273b4d903e35cc496284f178fbbe2d67d00976 AS build
WORKDIR /src
# npm builds the console; its build brings a newer Node if the one of the distribution is too old.
RUN apt-get update \
    && apt-get install -y --no-install-recommends npm \
    && rm -rf /var/lib/apt/lists/*
COPY pom.xml ./
COPY console console/
COPY core core/
COPY runtime runtime/
COPY tools tools/
COPY chat chat/
COPY store store/
COPY http http/
COPY mcp mcp/
COPY server server/
COPY cli cli/
COPY bench/pom.xml bench/
COPY clients/java/pom.xml clients/java/
COPY integrations/java/pom.xml integrations/java/
COPY integrations/java/langchain4j/pom.xml integrations/java/langchain4j/
COPY integrations/java/spring-ai/pom.xml integrations/java/spring-ai/
COPY integrations/java/tests/pom.xml integrations/java/tests/
RUN mvn -B -ntp -T 2 -Dquick -Dmaven.test.skip=true -pl cli -am package

FROM eclipse-temurin:25-jre@sha256:fcd7fd7b387f94bb2ac461478a7436ad8e349924c374ea8313919624dceae636
# bubblewrap is the sandbox for commands, curl asks the gate for hooks of coding agents; tini is not needed, because the server is process 1 and ends on SIGTERM.
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home --home-dir /home/toolgate toolgate \
    && install -d -o toolgate -g toolgate /data /opt/toolgate
COPY --from=build --chown=toolgate /src/cli/target/toolgate.jar /opt/toolgate/
COPY --from=build --chown=toolgate /src/cli/target/lib /opt/toolgate/lib/
COPY scripts/launch.sh scripts/rehearse.sh /opt/toolgate/scripts/
COPY --chmod=755 scripts/hook /opt/toolgate/scripts/
COPY --chmod=755 scripts/container.sh /usr/local/bin/toolgate
USER toolgate
# With the Java that will run it, because an AOT cache works only with the same JVM.
RUN . /opt/toolgate/scripts/rehearse.sh && rehearse "$JAVA_HOME/bin/java" /opt/toolgate
ENV TOOLGATE_HOME=/data \
    TOOLGATE_HOST=0.0.0.0 \
    TOOLGATE_PORTS=8001,3001 \
    LOG_FORMAT=json
VOLUME /data
EXPOSE 8001 3001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["toolgate", "health"]
ENTRYPOINT ["toolgate"]
CMD ["serve"]
