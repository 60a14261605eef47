package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Relays TCP to the unix socket of the proxy, because programs connect to proxies by TCP but only a unix socket leads
 * out of the sandbox. It runs inside with the rights of the command; the proxy outside decides.
 */
final class ProxyRelay {
    private static final int PORT = 3128;

    private static final String PYTHON = """
            import os, socket, sys, threading
            s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind(("127.0.0.1", int(sys.argv[1]))); s.listen(64)
            if os.fork(): os._exit(0)
            null = os.open("/dev/null", os.O_RDWR)
            for fd in 0, 1, 2: os.dup2(null, fd)
            def copy(a, b):
                try:
                    while True:
                        d = a.recv(65536)
                        if not d: break
                        b.sendall(d)
                    b.shutdown(socket.SHUT_WR)
                except OSError:
                    a.close(); b.close()
            def serve(c):
                u = socket.socket(socket.AF_UNIX)
                try: u.connect(sys.argv[2])
                except OSError: c.close(); return
                threading.Thread(target=copy, args=(u, c), daemon=True).start(); copy(c, u)
            while True: threading.Thread(target=serve, args=(s.accept()[0],), daemon=True).start()
            """;

    private static final String PERL = """
            use IO::Socket::INET; use IO::Socket::UNIX; use IO::Select; $SIG{CHLD} = "IGNORE"; $SIG{PIPE} = "IGNORE";
            my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $ARGV[0], Listen => 64, ReuseAddr => 1) or exit 1;
            exit 0 if fork; open STDIN, "<", "/dev/null"; open STDOUT, ">", "/dev/null"; open STDERR, ">", "/dev/null";
            while (my $c = $s->accept) {
              next if fork;
              my $u = IO::Socket::UNIX->new(Peer => $ARGV[1]) or exit 1; my $w = IO::Select->new($c, $u);
              while ($w->count and my @r = $w->can_read) { for my $a (@r) {
                my $b = $a == $c ? $u : $c; my $n = sysread $a, my $d, 65536;
                if (!$n) { $w->remove($a); shutdown $b, 1; next }
                for (my $o = 0; $o < $n;) { my $k = syswrite($b, $d, $n - $o, $o) or exit 0; $o += $k }
              } }
              exit 0;
            }
            """;

    private ProxyRelay() {}

    /** The part of the inner script that starts the relay and waits until it listens. */
    static String script() throws ToolFailure {
        return script(SandboxPrograms.find("python3"), SandboxPrograms.find("perl"));
    }

    static String script(Optional<Path> python, Optional<Path> perl) throws ToolFailure {
        String relay = python.map(program -> program + " -I -S -c '" + PYTHON + "' ")
                .or(() -> perl.map(program -> program + " -e '" + PERL + "' "))
                .orElseThrow(() -> BindSource.refusal("A command with allowed domains needs python3 or perl in"
                        + " /usr/bin to connect to the proxy; to fix it: " + SandboxPrograms.installLine("python3")));
        return relay + PORT + " " + BubblewrapProfile.PROXY_SOCKET + " </dev/null || exit 1\n";
    }

    /** The variables by which programs find the proxy. */
    static Map<String, String> environment() {
        String address = "http://127.0.0.1:" + PORT;
        return Map.of(
                "HTTP_PROXY",
                address,
                "HTTPS_PROXY",
                address,
                "http_proxy",
                address,
                "https_proxy",
                address,
                "NO_PROXY",
                "",
                "no_proxy",
                "");
    }
}
