// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Locality;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where this process runs, as its environment says: of the variables for each of node, zone and region, the first one that
 * is set.
 */
public final class Here {

    /** Variables that name the machine, the first one first. */
    public static final List<String> NODE =
            List.of("TAGBAHN_NODE", "NODE_HOSTNAME", "NODE_NAME", "K8S_NODE_NAME", "KUBERNETES_NODE_NAME");

    /** Variables that name its zone. */
    public static final List<String> ZONE =
            List.of("TAGBAHN_ZONE", "NODE_ZONE", "ZONE", "AVAILABILITY_ZONE", "AWS_AVAILABILITY_ZONE");

    /** Variables that name its region. */
    public static final List<String> REGION = List.of("TAGBAHN_REGION", "NODE_REGION", "REGION", "AWS_REGION");

    private static final Logger log = LoggerFactory.getLogger(Here.class);

    private Here() {}

    /** By the variables of this process; {@link Locality#UNKNOWN} where none is set. */
    public static Locality fromEnvironment() {
        return from(System.getenv());
    }

    /** By variables that are given; one whose value can't be a name is passed over. */
    public static Locality from(Map<String, String> environment) {
        return new Locality(
                first(environment, NODE, name -> new Locality(name, Optional.empty(), Optional.empty()).node()),
                first(environment, ZONE, name -> new Locality(Optional.empty(), name, Optional.empty()).zone()),
                first(environment, REGION, name -> new Locality(Optional.empty(), Optional.empty(), name).region()));
    }

    private static Optional<String> first(
            Map<String, String> environment, List<String> variables, UnaryOperator<Optional<String>> checked) {
        for (String variable : variables) {
            String value = environment.getOrDefault(variable, "").strip();
            if (value.isEmpty()) {
                continue;
            }
            try {
                return checked.apply(Optional.of(value));
            } catch (InvalidArgument e) {
                log.warn("{} is passed over: {}", variable, e.getMessage());
            }
        }
        return Optional.empty();
    }
}
