package dev.toolgate.cli.connect;

import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of a client on the command line. */
final class ClientWord implements ITypeConverter<ClientProgram> {
    @Override
    public ClientProgram convert(String word) {
        return Arrays.stream(ClientProgram.values())
                .filter(client -> client.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "'" + word + "' is not one of the clients " + Arrays.toString(ClientProgram.values())));
    }
}
