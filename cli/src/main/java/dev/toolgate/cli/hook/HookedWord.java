package dev.toolgate.cli.hook;

import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of a coding agent on the command line. */
final class HookedWord implements ITypeConverter<HookedProgram> {
    @Override
    public HookedProgram convert(String word) {
        return Arrays.stream(HookedProgram.values())
                .filter(client -> client.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "'" + word + "' is not one of the coding agents " + Arrays.toString(HookedProgram.values())));
    }
}
