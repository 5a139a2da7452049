# SPDX-License-Identifier: Apache-2.0
#
# A node, or any other tagbahn command, in a container: docker build -t tagbahn . (or see docker-compose.yml).
#
#   docker run tagbahn                         a node by itself
#   docker run tagbahn discover --name books   any command; the node's own container answers to docker exec as well
#
# The parts are those that ./tagbahn builds and runs: its distribution, started by its own launcher.

# To build with: a JDK 17 or newer with its jmods. What Maven needs comes from Maven Central.
ARG BUILD_IMAGE=eclipse-temurin:17-jdk
# To run on: glibc, a POSIX shell and the usual small tools.
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
# Further arguments for Maven, such as --offline where the image brings a filled repository.
ARG TAGBAHN_MAVEN_ARGS=
WORKDIR /src
COPY . .
RUN TAGBAHN_CDS=off TAGBAHN_MAVEN_ARGS="${TAGBAHN_MAVEN_ARGS}" ./tagbahn --version
# A Java of the modules that the class path asks for, and of two that nothing names: elliptic curves for TLS, and jcmd
# to look into a node that runs (docker exec NODE jcmd 1 Thread.print).
RUN set -eu; lib=cli/target/tagbahn/lib; \
    modules=$(jdeps --ignore-missing-deps --multi-release 17 --print-module-deps "$lib"/*.jar); \
    jlink --add-modules "$modules,jdk.crypto.ec,jdk.jcmd" --output /opt/java \
        --strip-java-debug-attributes --no-header-files --no-man-pages --compress=2; \
    /opt/java/bin/java -Xshare:dump

FROM ${BASE_IMAGE}
RUN groupadd --gid 10001 tagbahn \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/tagbahn --shell /usr/sbin/nologin tagbahn \
    && install -d -o tagbahn -g tagbahn -m 0750 /var/lib/tagbahn \
    && ln -s /opt/tagbahn/bin/tagbahn /usr/local/bin/tagbahn
COPY --from=build /opt/java /opt/java
COPY --from=build /src/cli/target/tagbahn /opt/tagbahn
ENV JAVA_HOME=/opt/java PATH=/opt/java/bin:/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8
# The archive of loaded classes, which the first start would make otherwise.
RUN tagbahn --version && ls /opt/tagbahn/cache/*.jsa

USER tagbahn
WORKDIR /var/lib/tagbahn
# The node's id and operators' statuses: what outlives a container.
VOLUME /var/lib/tagbahn
# Clients; 21301, TCP and UDP, is for other nodes.
EXPOSE 21300 21301/tcp 21301/udp
# The launcher becomes the JVM: it is process 1 and gets SIGTERM, on which a node leaves its cluster in order. That takes
# up to cluster.handover + node.drain (35 s): stop with docker stop --time 45.
ENTRYPOINT ["tagbahn"]
CMD ["serve", "--listen", "0.0.0.0:21300", "--data-dir", "/var/lib/tagbahn"]
