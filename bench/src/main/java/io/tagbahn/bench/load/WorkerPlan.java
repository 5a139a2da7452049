// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import io.tagbahn.model.HostPort;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a process that makes load is told at its start.
 *
 * @param number among those processes, from 0
 * @param nodes that its connections are spread over
 * @param echo where the same calls are answered without doing anything
 * @param zipfExponent of the tags' {@linkplain Popularity popularity}
 */
record WorkerPlan(
        int number,
        List<HostPort> nodes,
        HostPort echo,
        int connections,
        Mix mix,
        int tagsPerCall,
        double zipfExponent,
        Catalogue catalogue) {

    WorkerPlan {
        nodes = List.copyOf(nodes);
    }

    List<String> arguments() {
        return List.of(
                Integer.toString(number),
                nodes.stream().map(HostPort::toString).collect(Collectors.joining(",")),
                echo.toString(),
                Integer.toString(connections),
                mix.toString(),
                Integer.toString(tagsPerCall),
                Double.toString(zipfExponent),
                Integer.toString(catalogue.tags()),
                Long.toString(catalogue.generation()));
    }

    static WorkerPlan of(String[] arguments) {
        return new WorkerPlan(
                Integer.parseInt(arguments[0]),
                Stream.of(arguments[1].split(",", -1)).map(HostPort::parse).toList(),
                HostPort.parse(arguments[2]),
                Integer.parseInt(arguments[3]),
                Mix.parse(arguments[4]),
                Integer.parseInt(arguments[5]),
                Double.parseDouble(arguments[6]),
                new Catalogue(Integer.parseInt(arguments[7]), Long.parseLong(arguments[8])));
    }
}
