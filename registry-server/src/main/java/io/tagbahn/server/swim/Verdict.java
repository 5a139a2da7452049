// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** A probe that failed. */
record Verdict(MemberEntry target, Evidence evidence) {}
