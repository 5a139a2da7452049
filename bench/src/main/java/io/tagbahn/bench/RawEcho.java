// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Bytes there and back over Netty without any protocol: what a call can't be faster than. */
@SuppressWarnings("FutureReturnValueIgnored")
public final class RawEcho {

    private RawEcho() {}

    /**
     * What a run came to.
     *
     * @param messagesPerSecond there and back
     * @param cpuMicrosPerMessage of the event loops, of both sides
     */
    public record Outcome(double messagesPerSecond, double cpuMicrosPerMessage) {}

    /**
     * Runs for a while.
     *
     * @param inFlight messages under way on each connection
     */
    public static Outcome run(int threads, int connections, int inFlight, int messageBytes, Duration duration)
            throws InterruptedException {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("raw-echo", true), NioIoHandler.newFactory());
        try {
            Channel acceptor = new ServerBootstrap()
                    .group(group)
                    .channel(NioServerSocketChannel.class)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(initializer(Back::new))
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .sync()
                    .channel();
            LongAdder bytesBack = new LongAdder();
            List<Channel> channels = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                channels.add(new Bootstrap()
                        .group(group)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(initializer(() -> new Forth(bytesBack)))
                        .connect((InetSocketAddress) acceptor.localAddress())
                        .sync()
                        .channel());
            }
            for (Channel channel : channels) {
                channel.writeAndFlush(
                        channel.alloc().directBuffer(inFlight * messageBytes).writeZero(inFlight * messageBytes));
            }
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
            double messages = (double) bytesBack.sum() / messageBytes;
            long cpuNanos = ThreadCpu.nanos("raw-echo");
            channels.forEach(Channel::close);
            acceptor.close();
            return new Outcome(messages / (duration.toNanos() / 1e9), cpuNanos / 1e3 / messages);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    private static ChannelInitializer<Channel> initializer(Supplier<Back> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(handlers.get());
            }
        };
    }

    /** Sends back what comes in. */
    private static class Back extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message, context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    /** The same, counting. */
    private static final class Forth extends Back {

        private final LongAdder bytesBack;

        Forth(LongAdder bytesBack) {
            this.bytesBack = bytesBack;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            bytesBack.add(((ByteBuf) message).readableBytes());
            super.channelRead(context, message);
        }
    }
}
