// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.tagbahn.model.Instance;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.Member;
import io.tagbahn.model.NodeStatus;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Optional;

/** The JSON documents of the commands: names of fields and constants as in the IDL, absent values null. */
final class JsonForm {

    /** Enough for a share of a ring; a double's own digits depend on the JDK. */
    private static final int SHARE_DECIMALS = 6;

    private JsonForm() {}

    static JsonObject of(NodeStatus status) {
        JsonObject document = new JsonObject();
        document.addProperty("id", status.id());
        document.addProperty("version", status.version());
        document.addProperty("ready", status.ready());
        document.addProperty("replicas", status.replicas());
        document.addProperty("tags", status.tags());
        document.addProperty("instances", status.instances());
        document.addProperty("ontologyVersion", status.ontologyVersion());
        document.addProperty("uptimeMillis", status.uptime().toMillis());
        return document;
    }

    static JsonObject of(Member member) {
        JsonObject document = new JsonObject();
        document.addProperty("id", member.id());
        document.addProperty("address", member.address().toString());
        document.addProperty("state", member.state().name());
        document.addProperty("incarnation", member.incarnation());
        document.add("zone", text(member.locality().zone()));
        document.add(
                "ringShare",
                member.ringShare().isPresent()
                        ? new JsonPrimitive(
                                BigDecimal.valueOf(member.ringShare().getAsDouble())
                                        .setScale(SHARE_DECIMALS, RoundingMode.HALF_EVEN)
                                        .stripTrailingZeros())
                        : JsonNull.INSTANCE);
        return document;
    }

    /** @param tags how many there are besides the service name */
    static JsonObject of(LeaseGrant grant, int tags, long millis) {
        JsonObject document = new JsonObject();
        document.addProperty("instanceId", grant.instanceId().value());
        document.addProperty("generation", grant.generation());
        document.addProperty("leaseMillis", grant.lease().toMillis());
        document.addProperty("copiesMade", grant.copiesMade());
        document.addProperty("copiesWanted", grant.copiesWanted());
        document.addProperty("tags", tags);
        document.addProperty("millis", millis);
        return document;
    }

    static JsonObject of(Instance instance) {
        JsonObject document = new JsonObject();
        document.addProperty("id", instance.id().value());
        document.addProperty("service", instance.serviceName().value());
        document.addProperty("host", instance.host().toString());
        document.addProperty("port", instance.port());
        document.add("zone", text(instance.locality().zone()));
        document.addProperty("weight", instance.weight());
        document.addProperty("status", instance.status().name());
        return document;
    }

    static JsonArray strings(Collection<String> values) {
        JsonArray array = new JsonArray(values.size());
        values.forEach(array::add);
        return array;
    }

    private static JsonElement text(Optional<String> value) {
        return value.<JsonElement>map(JsonPrimitive::new).orElse(JsonNull.INSTANCE);
    }
}
