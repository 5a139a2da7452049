// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.RegistryException;

/**
 * What wants to know how a {@link Registration} fares.
 *
 * <p>Called on the thread {@code tagbahn-client-callbacks}, one event after another, in order. It may block and call the
 * client; what it throws is logged and stops nothing.
 */
public interface RegistrationListener {

    /** One that wants to know nothing. */
    RegistrationListener NONE = new RegistrationListener() {};

    /** The registry has taken the registration for the first time. */
    default void onRegistered(Registration registration, LeaseGrant grant) {}

    /** The lease lapsed unrenewed, or the registry says that it does not know it; the client registers again by itself. */
    default void onLost(Registration registration) {}

    /** What was lost is back, with the newest data. */
    default void onReregistered(Registration registration) {}

    /** Another process has registered the same instance later: this registration has ended. */
    default void onSuperseded(Registration registration) {}

    /** The registry refused the registration, and will again: it has ended. */
    default void onRefused(Registration registration, RegistryException reason) {}
}
