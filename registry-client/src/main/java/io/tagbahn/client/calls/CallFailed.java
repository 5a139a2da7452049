// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import org.jspecify.annotations.Nullable;

/** The host's answer is a failure, or the call failed before it was sent; the cause is the function's own exception. */
public final class CallFailed extends CallFailure {

    CallFailed(Throwable cause) {
        this(cause.toString(), cause);
    }

    CallFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
