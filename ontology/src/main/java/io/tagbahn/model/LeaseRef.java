// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/**
 * One generation of an instance's registration.
 *
 * @param generation 0 stands for the present one, where a call allows it
 */
public record LeaseRef(InstanceId instanceId, long generation) {}
