// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tagbahn.bench.thesis.ThesisBench;
import io.tagbahn.model.CallContext;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPeers;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.TagDiscoveryResult;
import io.tagbahn.wire.WireDiscovery;
import io.tagbahn.wire.WireInstance;
import io.tagbahn.wire.WireLease;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The codec, in the compact protocol: a registration with 100 triples of DBpedia, and an answer with an instance for each
 * of 100 tags; both between records and bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecMicro {

    private static final int TAGS = 100;
    private static final int MESSAGE_BYTES_MAX = 1 << 20;
    private static final MessageLimits LIMITS = new MessageLimits(MESSAGE_BYTES_MAX, 1 << 16, 1 << 16, 16);

    private final WireProtocol protocol = WireProtocol.of(true, LIMITS);
    private final ByteBuf out = Unpooled.buffer(MESSAGE_BYTES_MAX);
    private final RegisterRequest request;
    private final Map<String, Instance> found = new HashMap<>();
    private ByteBuf registrationBytes = Unpooled.EMPTY_BUFFER;
    private ByteBuf answerBytes = Unpooled.EMPTY_BUFFER;

    public CodecMicro() {
        List<Tag> tags = ThesisBench.triples().subList(0, TAGS);
        Instance instance = Instance.of(new ServiceName("bench"), HostPort.parse("10.0.0.1:8080"));
        request = new RegisterRequest(
                instance, tags, Optional.of(Duration.ofHours(1)), RegisterMode.REPLACE, OptionalLong.of(1));
        tags.forEach(tag -> found.put(tag.spelling(), instance));
    }

    @Setup
    public void encodeOnce() throws TException {
        registrationBytes = encodeRegistration().copy();
        answerBytes = encodeAnswer().copy();
    }

    private ByteBuf written(TBase<?, ?> message) throws TException {
        protocol.writeTo(out.clear());
        message.write(protocol);
        protocol.done();
        return out;
    }

    @Benchmark
    public ByteBuf encodeRegistration() throws TException {
        return written(new Discovery.advertise_args(WireLease.toWire(request, CallContext.NONE)));
    }

    /** With the reading of the tags, whose spelling becomes canonical. */
    @Benchmark
    public RegisterRequest decodeRegistration() throws TException {
        Discovery.advertise_args arguments = new Discovery.advertise_args();
        protocol.readFrom(registrationBytes.readerIndex(0));
        arguments.read(protocol);
        protocol.done();
        return WireLease.fromWire(arguments.getQuery());
    }

    @Benchmark
    public ByteBuf encodeAnswer() throws TException {
        Map<String, List<ServicePeer>> peers = new HashMap<>();
        found.forEach((tag, instance) -> peers.put(tag, List.of(WireInstance.toPeer(instance))));
        Discovery.tagDiscover_result result = new Discovery.tagDiscover_result();
        result.setSuccess(new TagDiscoveryResult(peers));
        return written(result);
    }

    @Benchmark
    public TagPeers decodeAnswer() throws TException {
        Discovery.tagDiscover_result result = new Discovery.tagDiscover_result();
        protocol.readFrom(answerBytes.readerIndex(0));
        result.read(protocol);
        protocol.done();
        return WireDiscovery.fromWire(result.getSuccess());
    }
}
