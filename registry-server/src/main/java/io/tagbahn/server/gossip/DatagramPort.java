// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import io.tagbahn.server.swim.CodecLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The socket for datagrams of membership, on one event loop. */
// What becomes of a datagram is nobody\'s to know; the channel reports what fails through its handlers.
@SuppressWarnings("FutureReturnValueIgnored")
final class DatagramPort {

    private static final Logger log = LoggerFactory.getLogger(DatagramPort.class);

    private final Channel channel;

    private DatagramPort(Channel channel) {
        this.channel = channel;
    }

    /**
     * Binds the socket.
     *
     * @param received told of each datagram, on the loop
     * @throws UncheckedIOException where the port can't be had
     */
    static DatagramPort open(EventLoop loop, InetSocketAddress bind, BiConsumer<HostPort, byte[]> received) {
        ChannelFuture bound = new Bootstrap()
                .group(loop)
                .channel(NioDatagramChannel.class)
                .option(ChannelOption.SO_RCVBUF, GossipTerms.RECEIVE_BUFFER_BYTES)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(CodecLimits.PACKET_BYTES_MAX + 1))
                .option(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(GossipTerms.OUTBOUND_BYTES_MAX / 2, GossipTerms.OUTBOUND_BYTES_MAX))
                .handler(new Inbound(received))
                .bind(bind)
                .awaitUninterruptibly();
        Throwable failure = bound.cause();
        if (failure != null) {
            throw new UncheckedIOException(
                    "cannot listen at " + bind + " for datagrams: " + failure.getMessage(), new IOException(failure));
        }
        return new DatagramPort(bound.channel());
    }

    /** Sends it with the next {@link #flush}; dropped where too much is waiting. */
    boolean send(InetSocketAddress to, byte[] bytes) {
        if (!channel.isWritable()) {
            return false;
        }
        channel.write(new DatagramPacket(Unpooled.wrappedBuffer(bytes), to), channel.voidPromise());
        return true;
    }

    void flush() {
        channel.flush();
    }

    void close() {
        channel.close();
    }

    private static final class Inbound extends SimpleChannelInboundHandler<DatagramPacket> {

        private final BiConsumer<HostPort, byte[]> received;

        Inbound(BiConsumer<HostPort, byte[]> received) {
            this.received = received;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            InetSocketAddress sender = packet.sender();
            if (sender.getPort() != 0) {
                HostPort from = new HostPort(Host.ofAddress(sender.getAddress().getAddress()), sender.getPort());
                received.accept(from, ByteBufUtil.getBytes(packet.content()));
            }
        }

        /** Such as the note that nobody listens where a datagram went: what is dead is found out by probes. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            log.debug("datagram socket: {}", cause.toString());
        }
    }
}
