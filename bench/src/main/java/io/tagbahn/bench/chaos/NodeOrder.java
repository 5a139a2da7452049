// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.nio.file.Path;
import java.util.List;

/**
 * What a node in a process of its own is started with.
 *
 * @param folder for its data and its log
 * @param within a command that becomes the node's, such as {@code nice -n 19}; none where empty
 * @param jvm arguments of its JVM
 * @param options of {@code tagbahn serve}, besides id and data directory
 */
public record NodeOrder(String id, Path folder, List<String> within, List<String> jvm, List<String> options) {

    public NodeOrder {
        within = List.copyOf(within);
        jvm = List.copyOf(jvm);
        options = List.copyOf(options);
    }
}
