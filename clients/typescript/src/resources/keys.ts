import type { Listing } from '../listing.js';
import { path } from '../transport.js';
import type { Key, MadeKey, WantedKey, Wire } from '../wire.js';
import { Resource, type ChangeOptions, type ListOptions, type RequestOptions } from './resource.js';

/** API keys. */
export class Keys extends Resource {
  list(options: ListOptions = {}): Listing<Key> {
    return this.listing('/api/v1/keys', options);
  }

  get(key: string, { signal }: RequestOptions = {}): Promise<Key> {
    return this.answer({ path: path`/api/v1/keys/${key}`, signal });
  }

  /** Creates a key, which only this answer contains. */
  create(key: WantedKey, { reason, signal }: ChangeOptions = {}): Promise<MadeKey> {
    return this.answer({ method: 'POST', path: '/api/v1/keys', query: { reason }, body: key, signal });
  }

  async revoke(key: string, { reason, signal }: ChangeOptions = {}): Promise<void> {
    await this.answer({ method: 'DELETE', path: path`/api/v1/keys/${key}`, query: { reason }, signal });
  }

  /** Replaces a key by a new one. */
  rotate(key: string, wanted: Wire['WantedRotation'] = {}, { reason, signal }: ChangeOptions = {}): Promise<Wire['RotatedKey']> {
    return this.answer({ method: 'POST', path: path`/api/v1/keys/${key}/rotate`, query: { reason }, body: wanted, signal });
  }
}
