module toolgate.dev/bench/peers/load

go 1.24
