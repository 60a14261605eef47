# Toolgate in a container: docker build -t toolgate .
# Base images by digest, so that a build is the same tomorrow. To renew one: docker buildx imagetools inspect IMAGE:TAG
FROM maven:3-eclipse-temurin-25@sha256:93b8a14ea2f412782e4e842651273b4d903e35cc496284f178fbbe2d67d00976 AS build
WORKDIR /src
COPY pom.xml ./
COPY core core/
COPY runtime runtime/
COPY tools tools/
COPY chat chat/
COPY store store/
COPY http http/
COPY server server/
COPY cli cli/
COPY bench/pom.xml bench/
RUN mvn -B -ntp -T 2 -Dquick -Dmaven.test.skip=true -pl cli -am package

FROM eclipse-temurin:25-jre@sha256:fcd7fd7b387f94bb2ac461478a7436ad8e349924c374ea8313919624dceae636
# bubblewrap confines the commands that tools run; tini is not needed, the server is process 1 and ends on SIGTERM.
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home --home-dir /home/toolgate toolgate \
    && install -d -o toolgate -g toolgate /data /opt/toolgate
COPY --from=build --chown=toolgate /src/cli/target/toolgate.jar /opt/toolgate/
COPY --from=build --chown=toolgate /src/cli/target/lib /opt/toolgate/lib/
COPY scripts/launch.sh scripts/rehearse.sh /opt/toolgate/scripts/
COPY --chmod=755 scripts/container.sh /usr/local/bin/toolgate
USER toolgate
# With the Java that will run it: a cache of loaded classes is good for that one only.
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
