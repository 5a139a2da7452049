// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.client.KeptAnswers.Good;
import io.tagbahn.model.Instance;
import io.tagbahn.model.Match;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.TagPeers;
import io.tagbahn.thrift.DiscoveryQuery;
import io.tagbahn.thrift.DiscoveryResult;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.SemanticResult;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.thrift.TagDiscoveryResult;
import io.tagbahn.wire.WireDiscovery;
import io.tagbahn.wire.WireInstance;
import io.tagbahn.wire.WireMeaning;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.thrift.TBase;
import org.apache.thrift.TDeserializer;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/** Kept answers as bytes: questions and answers in the form that they have on the wire. */
final class ThriftKept {

    private static final int NAMED = 1;
    private static final int TAGGED = 2;
    private static final int MEANT = 3;

    /** Longer is no answer that was ever kept. */
    private static final int PART_BYTES_MAX = 256 << 20;

    private ThriftKept() {}

    /** @param nowMillis since 1970: ages are of no use to a later process */
    static byte[] toBytes(List<Good<?>> answers, long nowMillis) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(answers.size());
        for (Good<?> each : answers) {
            out.writeLong(nowMillis - each.age().toMillis());
            write(each, out);
        }
        return bytes.toByteArray();
    }

    private static void write(Good<?> good, DataOutputStream out) throws IOException {
        Question<?> question = good.question();
        if (question instanceof Question.Named named) {
            ServicePeers answer = (ServicePeers) good.answer();
            write(NAMED, new DiscoveryQuery(named.name().value()), toWire(answer), out);
        } else if (question instanceof Question.Tagged tagged) {
            TagPeers answer = (TagPeers) good.answer();
            write(TAGGED, new TagDiscoveryQuery(tagged.tags()), toWire(answer), out);
        } else if (question instanceof Question.Meant meant) {
            SemanticQuery query = WireMeaning.toWire(meant.query());
            meant.near().ifPresent(place -> query.setNear(WireInstance.toWire(place)));
            write(
                    MEANT,
                    query,
                    toWire((SemanticAnswer) good.answer(), meant.query().explain()),
                    out);
        } else {
            throw new IllegalArgumentException("no such question: " + question);
        }
    }

    private static void write(int kind, TBase<?, ?> question, TBase<?, ?> answer, DataOutputStream out)
            throws IOException {
        out.writeByte(kind);
        write(question, out);
        write(answer, out);
    }

    private static void write(TBase<?, ?> part, DataOutputStream out) throws IOException {
        try {
            byte[] bytes = new TSerializer(new TCompactProtocol.Factory()).serialize(part);
            out.writeInt(bytes.length);
            out.write(bytes);
        } catch (TException e) {
            throw new IOException("an answer can't be written", e);
        }
    }

    private static DiscoveryResult toWire(ServicePeers answer) {
        return new DiscoveryResult(peers(answer.instances())).setDegraded(answer.degraded());
    }

    private static TagDiscoveryResult toWire(TagPeers answer) {
        Map<String, List<ServicePeer>> peers = new HashMap<>();
        answer.instances().forEach((tag, instances) -> peers.put(tag, peers(instances)));
        return new TagDiscoveryResult(peers).setDegraded(answer.degraded());
    }

    private static SemanticResult toWire(SemanticAnswer answer, boolean explained) {
        List<io.tagbahn.thrift.SemanticMatch> matches = answer.matches().stream()
                .map(match -> WireMeaning.toWire(
                        new Match(match.tag(), match.degree(), match.distance(), match.explanation()),
                        peers(match.instances()),
                        explained))
                .toList();
        return new SemanticResult(matches, answer.ontologyVersion())
                .setDegraded(answer.degraded())
                .setDiagnostics(answer.diagnostics());
    }

    private static List<ServicePeer> peers(List<Instance> instances) {
        return instances.stream().map(WireInstance::toPeer).toList();
    }

    /** @throws IOException where the bytes are not what {@link #toBytes} makes; also what values refuse is that */
    static List<Good<?>> fromBytes(DataInputStream in, long nowMillis) throws IOException {
        int count = in.readInt();
        List<Good<?>> answers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Duration age = Duration.ofMillis(Math.max(0, nowMillis - in.readLong()));
                answers.add(read(in, age));
            }
        } catch (RuntimeException e) {
            throw new IOException("answer " + answers.size() + " is none", e);
        }
        return answers;
    }

    private static Good<?> read(DataInputStream in, Duration age) throws IOException {
        int kind = in.readByte();
        switch (kind) {
            case NAMED -> {
                DiscoveryQuery question = part(in, new DiscoveryQuery());
                DiscoveryResult answer = part(in, new DiscoveryResult());
                return new Good<>(
                        new Question.Named(new ServiceName(question.getServiceName())),
                        new ServicePeers(WireInstance.fromPeers(answer.getPeers()), answer.isDegraded()),
                        age);
            }
            case TAGGED -> {
                TagDiscoveryQuery question = part(in, new TagDiscoveryQuery());
                return new Good<>(
                        new Question.Tagged(question.getServiceTags()),
                        WireDiscovery.fromWire(part(in, new TagDiscoveryResult())),
                        age);
            }
            case MEANT -> {
                SemanticQuery question = part(in, new SemanticQuery());
                return new Good<>(
                        new Question.Meant(WireMeaning.fromWire(question), WireMeaning.near(question)),
                        ThriftMeaning.fromWire(part(in, new SemanticResult())),
                        age);
            }
            default -> throw new IOException("an answer of kind " + kind);
        }
    }

    private static <T extends TBase<?, ?>> T part(DataInputStream in, T empty) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > PART_BYTES_MAX) {
            throw new IOException("a part of " + length + " bytes");
        }
        byte[] bytes = in.readNBytes(length);
        try {
            new TDeserializer(new TCompactProtocol.Factory()).deserialize(empty, bytes);
        } catch (TException e) {
            throw new IOException("a part can't be read", e);
        }
        return empty;
    }
}
