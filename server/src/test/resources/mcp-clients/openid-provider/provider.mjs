// A provider on a free loopback port. It prints its issuer, reads the gate's address from its input, and ends with it.
import http from 'node:http';
import readline from 'node:readline';
import { Provider } from 'oidc-provider';

const people = JSON.parse(process.argv[2]);
let handle = (_, response) => response.writeHead(503).end();
const server = http.createServer((request, response) => handle(request, response));
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://localhost:${server.address().port}`;
  readline.createInterface({ input: process.stdin })
    .once('line', (gate) => {
      handle = new Provider(issuer, configuration(gate)).callback();
      console.log('ready');
    })
    .once('close', () => process.exit(0));
  console.log(issuer);
});

function configuration(gate) {
  return {
    clients: [{
      client_id: 'toolgate',
      client_secret: 'a-secret-of-the-gate-alone',
      redirect_uris: [`${gate}/auth/oidc/callback`],
      post_logout_redirect_uris: [`${gate}/console/login`],
    }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    cookies: { keys: ['only for this test'] },
    findAccount: (_, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
  };
}
