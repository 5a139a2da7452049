// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.Criticality;
import io.tagbahn.thrift.DeregisterQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.DiscoveryQuery;
import io.tagbahn.thrift.HeartbeatQuery;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.InstanceStatus;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.Registry;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.StatusQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TMemoryBuffer;

/** Valid messages of every method in every form of Thrift, and what can be made of them. */
final class FuzzFrames {

    private static final int LENGTH_BYTES = 4;
    private static final int MUTATIONS_MAX = 4;
    private static final int[] SIZES = {
        Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 1, 0x7FFF, 0xFFFF, 0x00FFFFFF, 0x80010001, 0x82210000
    };

    private final RandomGenerator random;
    private final List<byte[]> valid = new ArrayList<>();

    FuzzFrames(RandomGenerator random) throws TException {
        this.random = random;
        for (Map.Entry<String, TBase<?, ?>> call : calls().entrySet()) {
            for (boolean compact : new boolean[] {false, true}) {
                byte[] body = body(call.getKey(), call.getValue(), compact);
                valid.add(body);
                valid.add(ByteBuffer.allocate(LENGTH_BYTES + body.length)
                        .putInt(body.length)
                        .put(body)
                        .array());
            }
        }
    }

    private static byte[] body(String method, TBase<?, ?> arguments, boolean compact) throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(512);
        TProtocol protocol = compact ? new TCompactProtocol(buffer) : new TBinaryProtocol(buffer);
        protocol.writeMessageBegin(new TMessage(method, TMessageType.CALL, 1));
        arguments.write(protocol);
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    private static Map<String, TBase<?, ?>> calls() {
        CallContext context = new CallContext();
        context.setDeadlineMillis(500);
        context.setCriticality(Criticality.SHEDDABLE);
        context.setCaller("frame-fuzz");
        context.setAttempt(1);
        Instance instance = new Instance("fuzzed", "127.0.0.1", 4_000);
        instance.setNamedPorts(Map.of("http", 8_080));
        instance.setMetadata(Map.of("key", "value"));
        RegisterQuery register = new RegisterQuery(instance, List.of("http://example.org/Fuzzed", "a plain name"));
        register.setLeaseMillis(1_000);
        register.setContext(context);
        LeaseRef lease = new LeaseRef("fuzzed/127.0.0.1:4000", 1);
        Map<String, TBase<?, ?>> calls = new LinkedHashMap<>();
        calls.put("register", new Registry.register_args(register));
        calls.put("advertise", new Discovery.advertise_args(register));
        calls.put("heartbeat", new Discovery.heartbeat_args(new HeartbeatQuery(List.of(lease, lease))));
        calls.put("deregister", new Discovery.deregister_args(new DeregisterQuery(lease)));
        calls.put("setStatus", new Discovery.setStatus_args(new StatusQuery("x", InstanceStatus.DRAINING)));
        calls.put("discover", new Discovery.discover_args(new DiscoveryQuery("fuzzed").setContext(context)));
        calls.put(
                "tagDiscover",
                new Discovery.tagDiscover_args(
                        new TagDiscoveryQuery(List.of("http://example.org/Fuzzed", "<a:s> <a:p> <a:o>"))));
        calls.put("serviceNames", new Discovery.serviceNames_args(new ServiceNamesQuery().setLimit(10)));
        calls.put("members", new Discovery.members_args(context));
        calls.put("owners", new Discovery.owners_args("tag é", context));
        calls.put("status", new Discovery.status_args(context));
        return calls;
    }

    byte[] valid() {
        return valid.get(random.nextInt(valid.size()));
    }

    byte[] randomBytes() {
        byte[] bytes = new byte[1 + random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A valid message with a few things wrong in it. */
    byte[] mutant() {
        byte[] bytes = valid().clone();
        int mutations = 1 + random.nextInt(MUTATIONS_MAX);
        for (int i = 0; i < mutations && bytes.length > LENGTH_BYTES; i++) {
            bytes = mutate(bytes);
        }
        return bytes;
    }

    private byte[] mutate(byte[] bytes) {
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(7)) {
            case 0 -> {
                bytes[at] ^= (byte) (1 << random.nextInt(8));
                yield bytes;
            }
            case 1 -> {
                bytes[at] = (byte) random.nextInt(256);
                yield bytes;
            }
            case 2 -> {
                ByteBuffer.wrap(bytes).putInt(Math.min(at, bytes.length - 4), SIZES[random.nextInt(SIZES.length)]);
                yield bytes;
            }
            case 3 -> Arrays.copyOf(bytes, at);
            case 4 -> joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at / 2, bytes.length));
            case 5 -> joined(Arrays.copyOf(bytes, at), randomBytes(), Arrays.copyOfRange(bytes, at, bytes.length));
            default -> {
                byte[] other = valid();
                yield joined(
                        Arrays.copyOf(bytes, at), Arrays.copyOfRange(other, Math.min(at, other.length), other.length));
            }
        };
    }

    static byte[] joined(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer joined = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            joined.put(part);
        }
        return joined.array();
    }
}
