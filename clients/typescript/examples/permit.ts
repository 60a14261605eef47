import { Toolgate } from '@toolgate/client';

const deploy = async (host: string): Promise<string> => `Deployed to ${host}`;

const gate = new Toolgate();
const permit = await gate.authorize('deploy', { host: 'staging' });
const output = await permit.run(({ host }) => deploy(String(host))); // reports what it returns, or throws
console.log(output);

/* Prints:
Deployed to staging
*/
