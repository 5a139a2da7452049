// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.bench.calls.Policy;
import io.tagbahn.cli.DiscoverCommand.Inference;
import io.tagbahn.cli.DiscoverCommand.Mode;
import io.tagbahn.cli.KeysCommand.Action;
import io.tagbahn.cli.SetStatusCommand.Status;
import io.tagbahn.model.HostPort;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code tagbahn} command with all its subcommands, one run of it. */
final class Tagbahn {

    /** No argument can hold this: without a delimiter among them, {@code --id=--} is an id like others. */
    private static final String NO_DELIMITER = "\0";

    private final Environment environment;

    /** Whether that was told already. */
    private boolean outputFailed;

    Tagbahn(Environment environment) {
        this.environment = environment;
    }

    /** Runs the command and returns its exit code; never throws. */
    int run(String... args) {
        int exitCode;
        try {
            checkEncoding(args);
            exitCode = commandLineFor(args)
                    .setEndOfOptionsDelimiter(Arrays.asList(args).contains("--") ? "--" : NO_DELIMITER)
                    .execute(args);
        } catch (UsageError e) {
            exitCode = report(e, false);
        }
        try {
            environment.out().flush();
        } catch (OutputFailure e) {
            exitCode = outputFailed ? exitCode : report(e, false);
        }
        environment.err().flush();
        return exitCode;
    }

    /** Java puts this character where bytes are no UTF-8; what was meant is lost, and must not be registered. */
    private static void checkEncoding(String... args) {
        for (String arg : args) {
            if (arg.indexOf('\uFFFD') >= 0) {
                throw new UsageError("the argument '" + arg + "' is not valid UTF-8 (or the locale is not UTF-8)");
            }
        }
    }

    /** The grammar of all commands. */
    CommandLine commandLine() {
        return assembled(commands().values());
    }

    /** The grammar of one command where its name comes first, which is read in a fraction of the time; else of all. */
    private CommandLine commandLineFor(String... args) {
        Supplier<Object> first = args.length == 0 ? null : commands().get(args[0]);
        return first == null ? commandLine() : assembled(List.of(first));
    }

    private Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("demo", () -> new DemoCommand(environment));
        commands.put("serve", () -> new ServeCommand(environment));
        commands.put("cluster", () -> new ClusterCommand(environment));
        commands.put("keys", () -> new KeysCommand(environment));
        commands.put("register", () -> new RegisterCommand(environment));
        commands.put("deregister", () -> new DeregisterCommand(environment));
        commands.put("set-status", () -> new SetStatusCommand(environment));
        commands.put("discover", () -> new DiscoverCommand(environment));
        commands.put(
                "ontology",
                () -> new CommandLine(new OntologyCommand())
                        .addSubcommand(new OntologyCommand.Put(environment))
                        .addSubcommand(new OntologyCommand.Get(environment))
                        .addSubcommand(new OntologyCommand.Listed(environment))
                        .addSubcommand(new OntologyCommand.Remove(environment)));
        commands.put("watch", () -> new WatchCommand(environment));
        commands.put("names", () -> new NamesCommand(environment));
        commands.put("node", () -> new NodeCommand(environment));
        commands.put("members", () -> new MembersCommand(environment));
        commands.put("owners", () -> new OwnersCommand(environment));
        commands.put("bench", () -> new BenchCommand(environment).grammar());
        commands.put("completion", () -> new CompletionCommand(environment, this::commandLine));
        return commands;
    }

    private CommandLine assembled(Collection<Supplier<Object>> subcommands) {
        CommandLine command = new CommandLine(new Root());
        subcommands.forEach(each -> command.addSubcommand(each.get()));
        addCommonOptions(command);
        command.registerConverter(HostPort.class, Converters::hostPort);
        command.registerConverter(Duration.class, Converters::duration);
        command.registerConverter(Mode.class, text -> Converters.constant(Mode.class, text));
        command.registerConverter(Inference.class, text -> Converters.constant(Inference.class, text));
        command.registerConverter(Action.class, text -> Converters.constant(Action.class, text));
        command.registerConverter(Status.class, text -> Converters.constant(Status.class, text));
        command.registerConverter(Policy.class, text -> Converters.constant(Policy.class, text));
        command.setExpandAtFiles(false);
        command.setUsageHelpWidth(100);
        command.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        command.setOut(new PrintWriter(environment.out().writer()));
        command.setErr(new PrintWriter(environment.err(), true, StandardCharsets.UTF_8));
        command.setParameterExceptionHandler(this::misused);
        command.setExecutionStrategy(parsed -> {
            Logging.configure(environment.err(), level(parsed));
            return new RunLast().execute(parsed);
        });
        command.setExecutionExceptionHandler((error, at, parsed) -> report(error, verbosity(parsed) > 0));
        return command;
    }

    private static void addCommonOptions(CommandLine command) {
        command.addMixin("common", new CommonOptions());
        command.getSubcommands().values().forEach(Tagbahn::addCommonOptions);
    }

    private int misused(ParameterException error, String... args) {
        CommandLine at = error.getCommandLine();
        environment.say(oneLine(String.valueOf(error.getMessage())));
        if (error instanceof UnmatchedArgumentException unmatched
                && !unmatched.getSuggestions().isEmpty()) {
            environment.err().println("  did you mean: " + String.join(", ", unmatched.getSuggestions()) + "?");
        }
        environment.err().print("Usage: " + at.getHelp().synopsis(7));
        environment.err().println("  '" + at.getCommandSpec().qualifiedName() + " --help' tells more");
        return ExitCode.USAGE;
    }

    private int report(Exception error, boolean verbose) {
        if (error instanceof OutputFailure failure && failure.readerGone()) {
            outputFailed = true;
            return ExitCode.DONE;
        }
        Failure failure = Failure.of(error);
        environment.say(oneLine(failure.message()));
        outputFailed |= error instanceof OutputFailure;
        failure.hint().ifPresent(hint -> environment.err().println("  " + hint));
        if (verbose) {
            error.printStackTrace(environment.err());
        }
        return failure.exitCode();
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    private static Level level(ParseResult parsed) {
        boolean node = last(parsed).commandSpec().userObject() instanceof ServeCommand;
        return switch (verbosity(parsed)) {
            case 0 -> node ? Level.INFO : Level.SEVERE;
            case 1 -> node ? Level.FINE : Level.INFO;
            default -> Level.FINE;
        };
    }

    private static int verbosity(ParseResult parsed) {
        int given = 0;
        for (ParseResult each : parsed.asCommandLineList().stream()
                .map(CommandLine::getParseResult)
                .toList()) {
            given += each.matchedOptionValue("--verbose", new boolean[0]).length;
        }
        return given;
    }

    private static ParseResult last(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last;
    }

    /** What {@code tagbahn} without a command takes. */
    @Command(
            name = "tagbahn",
            description = "Finds hosts by what they mean.",
            synopsisSubcommandLabel = "COMMAND",
            footer = {
                "",
                "Exit codes: 0 done, 1 nothing found, 2 wrong usage or refused input,",
                "3 registry not reachable or not ready.",
                "'tagbahn COMMAND --help' tells about a command; 'tagbahn demo' shows what it is about."
            })
    private static final class Root {}

    /** The version of this build. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Tagbahn.class.getPackage().getImplementationVersion();
            return new String[] {"tagbahn " + (version == null ? "(not packaged)" : version)};
        }
    }
}
