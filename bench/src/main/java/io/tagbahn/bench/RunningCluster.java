// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.model.HostPort;
import java.nio.file.Path;
import java.util.List;

/** A cluster that runs until it is closed, without ceremony: its data is of no use afterwards. */
public interface RunningCluster extends AutoCloseable {

    List<RunningNode> nodes();

    @Override
    void close();

    /**
     * A node of it.
     *
     * @param folder with its data and logs
     */
    record RunningNode(HostPort address, long pid, Path folder) {}
}
