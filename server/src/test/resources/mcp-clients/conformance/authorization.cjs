// Loaded into the conformance suite, which has no option for headers: every request to the gate brings its key. The suite
// sends with fetch and with undici itself, and both use one dispatcher.
const { Agent, setGlobalDispatcher } = require(require.resolve('undici', { paths: [process.cwd()] }));

const { origin } = new URL(process.env.GATE_ADDRESS);
const authorization = `Bearer ${process.env.GATE_KEY}`;

function withKey(headers) {
  const given = Array.isArray(headers) ? headers : Object.entries(headers ?? {}).flat();
  const hasKey = given.some((name, i) => i % 2 === 0 && String(name).toLowerCase() === 'authorization');
  return hasKey ? given : [...given, 'authorization', authorization];
}

setGlobalDispatcher(
  new Agent().compose((dispatch) => (options, handler) =>
    dispatch(String(options.origin) === origin ? { ...options, headers: withKey(options.headers) } : options, handler)),
);
