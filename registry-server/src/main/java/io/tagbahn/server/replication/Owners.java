// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import io.tagbahn.model.InstanceId;
import java.util.Collection;

/** Which nodes are to hold what, as one node sees it at one moment. */
public interface Owners {

    /** The homes of an instance, first home first. */
    Collection<String> homes(InstanceId id);

    /** The owners of an entry. */
    Collection<String> owners(String entry);
}
