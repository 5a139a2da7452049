// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import org.jspecify.annotations.Nullable;

/** The call was sent and may or may not have been carried out: only one that is idempotent may be made again. */
public final class CallOutcomeUnknown extends CallFailure {

    CallOutcomeUnknown(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
