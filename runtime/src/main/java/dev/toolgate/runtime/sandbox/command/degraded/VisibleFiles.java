package dev.toolgate.runtime.sandbox.command.degraded;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files a command can access besides its workspace. */
final class VisibleFiles {
    /** Programs and libraries. */
    static final List<Path> PROGRAMS = paths("/", "usr bin sbin lib lib32 lib64");

    /** Configuration without secrets that ordinary programs need. */
    static final List<Path> CONFIGURATION = paths(
            "/etc/",
            "alternatives ca-certificates ssl/certs ssl/openssl.cnf pki/tls/certs ld.so.cache ld.so.conf ld.so.conf.d"
                    + " passwd group nsswitch.conf localtime timezone os-release debian_version hosts host.conf"
                    + " protocols services mime.types inputrc locale.alias fonts python3 perl"
                    + " java-17-openjdk java-21-openjdk java-25-openjdk");

    /** Machine information that the C library and language runtimes read; nothing about processes. */
    static final List<Path> MACHINE = paths(
            "/",
            "proc/cpuinfo proc/meminfo proc/stat proc/loadavg proc/uptime proc/version proc/filesystems"
                    + " proc/sys/kernel/osrelease proc/sys/vm/overcommit_memory sys/devices/system/cpu");

    /** Devices without state. */
    static final List<Path> DEVICES = paths("/dev/", "null zero full random urandom");

    private VisibleFiles() {}

    private static List<Path> paths(String parent, String names) {
        return Stream.of(names.split(" ")).map(name -> Path.of(parent + name)).toList();
    }
}
