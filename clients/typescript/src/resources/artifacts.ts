import type { Listing } from '../listing.js';
import { path } from '../transport.js';
import type { Artifact } from '../wire.js';
import { Resource, type ListOptions, type RequestOptions } from './resource.js';

/** The options of requests for artifacts. */
export interface ArtifactOptions extends RequestOptions {
  /** The session that the artifact belongs to. */
  session?: string | undefined;
}

/** Stored output of tools. */
export class Artifacts extends Resource {
  /** The artifacts of a workspace, newest first. */
  list(
    workspace: string,
    options: ListOptions & { request_id?: string | undefined; session_id?: string | undefined } = {},
  ): Listing<Artifact> {
    return this.listing(path`/workspaces/${workspace}/artifacts`, options);
  }

  /** The content of an artifact by its URI, such as `workspaces/default/artifacts/art_…`, as an HTTP response. */
  read(uri: string, { session, signal }: ArtifactOptions = {}): Promise<Response> {
    return this.transport.open({ path: pathOf(uri), query: { session_id: session }, headers: { Accept: '*/*' }, signal });
  }

  /** Stores content in a workspace. */
  store(
    workspace: string,
    content: Blob | Uint8Array<ArrayBuffer> | string,
    { name, mediaType, session, signal }: ArtifactOptions & { name: string; mediaType: string },
  ): Promise<Artifact> {
    return this.answer({
      method: 'POST',
      path: path`/workspaces/${workspace}/artifacts`,
      query: { name, session_id: session },
      content,
      headers: { 'Content-Type': mediaType },
      signal,
    });
  }

  async delete(uri: string, { session, signal }: ArtifactOptions = {}): Promise<void> {
    await this.answer({ method: 'DELETE', path: pathOf(uri), query: { session_id: session }, signal });
  }
}

function pathOf(uri: string): string {
  const [, workspace, artifact] = /^\/?workspaces\/([^/]+)\/artifacts\/([^/]+)$/.exec(uri) ?? [];
  if (workspace === undefined || artifact === undefined) {
    throw new TypeError(`'${uri}' is not the URI of an artifact; it begins with workspaces/.`);
  }
  return path`/workspaces/${decodeURIComponent(workspace)}/artifacts/${decodeURIComponent(artifact)}`;
}
