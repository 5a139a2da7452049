// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.thrift.TException;
import org.junit.jupiter.api.Test;

final class CodecMicroTest {

    @Test
    void whatIsEncodedIsDecodedAgainAsOftenAsOneLikes() throws TException {
        CodecMicro codec = new CodecMicro();
        codec.encodeOnce();
        for (int i = 0; i < 2; i++) {
            assertThat(codec.decodeRegistration().tags()).hasSize(100);
            assertThat(codec.decodeAnswer().instances()).hasSize(100);
            assertThat(codec.encodeRegistration().readableBytes()).isGreaterThan(10_000);
            assertThat(codec.encodeAnswer().readableBytes()).isGreaterThan(10_000);
        }
    }
}
