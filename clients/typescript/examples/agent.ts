import { GatedAgent, Toolgate, type DeniedError } from '@toolgate/client';

class Developer extends GatedAgent {
  override onDenied(denied: DeniedError): void {
    console.log(denied.reason);
  }

  override async escalate(denied: DeniedError): Promise<boolean> {
    console.log(`Asking for help: ${denied.suggestion.split(',')[0]}.`);
    return false; // true to try again, for example after a grant
  }
}

const developer = new Developer(new Toolgate(), 'courier');
await developer.use('database_write', { path: '.' }, { alternatives: ['file_list'] });
await developer.use('deploy_production', {}, { critical: true }).catch(() => console.log('Not without help.'));

/* Prints:
Agent 'courier' not permitted to use tool 'database_write'
Agent 'courier' not permitted to use tool 'deploy_production'
Asking for help: Use one of the allowed tools.
Not without help.
*/
