// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

/**
 * How much a store takes in; past a limit a write is refused and nothing changes.
 *
 * @param instancesMax instances in all
 * @param entriesMax entries in all, service names and tags alike
 * @param tagsPerRegistrationMax entries of one instance, its service name not counted
 * @param tagBytesMax bytes of UTF-8 of the entries of one instance, which nodes copy as one message
 * @param tombstonesMax instances that are gone and still remembered; past it the oldest is forgotten early
 * @param operatorStatusesMax instances on which an operator's word is kept
 */
public record StoreLimits(
        int instancesMax,
        int entriesMax,
        int tagsPerRegistrationMax,
        int tagBytesMax,
        int tombstonesMax,
        int operatorStatusesMax) {

    public StoreLimits {
        atLeastOne("instancesMax", instancesMax);
        atLeastOne("entriesMax", entriesMax);
        atLeastOne("tagsPerRegistrationMax", tagsPerRegistrationMax);
        atLeastOne("tagBytesMax", tagBytesMax);
        atLeastOne("tombstonesMax", tombstonesMax);
        atLeastOne("operatorStatusesMax", operatorStatusesMax);
    }

    public static StoreLimits defaults() {
        return new StoreLimits(1_000_000, 5_000_000, 100_000, 12_288_000, 100_000, 10_000);
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " " + value + " < 1");
        }
    }
}
