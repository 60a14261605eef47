import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { components } from '#schema';
import { answer, api } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { AuditRecord } from '../../api/types';
import { t } from '../../strings';
import { Loaded, Problem } from '../../ui/States';
import { formatBytes } from '../../ui/time';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';

type Artifact = components['schemas']['Artifact'];

const MAX_SHOWN = 4 * 1024 * 1024;
/** Only what a browser draws without running anything: an SVG can contain scripts. */
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function isText({ media_type: type }: Artifact): boolean {
  return type.startsWith('text/') || type.startsWith('application/json');
}

/** The artifacts of a call, as text or as images. */
export function Artifacts({ record }: { record: AuditRecord }) {
  const query = useQuery({
    queryKey: ['artifacts', record.workspace_id, record.request_id],
    queryFn: () =>
      answer(
        api.GET('/workspaces/{workspace_id}/artifacts', {
          params: { path: { workspace_id: record.workspace_id }, query: { request_id: record.request_id } },
        }),
      ),
  });
  return (
    <Loaded query={query} lines={1}>
      {(artifacts) =>
        artifacts.length > 0 && (
          <ul className="artifacts" aria-label={t.artifacts.title}>
            {artifacts.map((each) => (
              <One key={each.id} artifact={each} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function One({ artifact }: { artifact: Artifact }) {
  const [open, setOpen] = useState(false);
  const isImage = IMAGES.includes(artifact.media_type);
  const canShow = (isImage || isText(artifact)) && artifact.size <= MAX_SHOWN;
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <Text size="sm" component="div">
          <Untrusted mono>{artifact.name}</Untrusted>{' '}
          <Text span size="xs" c="dimmed">
            <Untrusted>{artifact.media_type}</Untrusted>, {formatBytes(artifact.size)}
          </Text>
        </Text>
        <Group gap="xs">
          {canShow && (
            <Button size="compact-xs" variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? t.artifacts.hide : t.artifacts.show}
            </Button>
          )}
          <Button size="compact-xs" variant="default" component="a" href={`/${artifact.uri}`} download>
            {t.artifacts.download}
          </Button>
        </Group>
      </Group>
      {open && (isImage ? <Picture artifact={artifact} /> : <Content artifact={artifact} />)}
    </li>
  );
}

function content(artifact: Artifact) {
  return {
    queryKey: ['artifacts', 'content', artifact.uri],
    staleTime: Infinity,
    queryFn: async () => {
      const response = await fetch(`/${artifact.uri}`);
      if (!response.ok) {
        throw ApiError.of(response.status, await response.json().catch(() => undefined));
      }
      return response.blob();
    },
  };
}

function Content({ artifact }: { artifact: Artifact }) {
  const query = useQuery(content(artifact));
  const text = useQuery({
    queryKey: ['artifacts', 'text', artifact.uri],
    enabled: query.data !== undefined,
    queryFn: () => query.data!.text(),
  });
  return query.error !== null ? (
    <Problem error={query.error} />
  ) : (
    <Loaded query={text}>{(found) => <UntrustedBlock text={found} label={artifact.name} />}</Loaded>
  );
}

function Picture({ artifact }: { artifact: Artifact }) {
  const { data, error } = useQuery(content(artifact));
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (data === undefined) {
      return undefined;
    }
    // With the media type that was checked above, not the one of the response.
    const made = URL.createObjectURL(new Blob([data], { type: artifact.media_type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data, artifact.media_type]);
  return error !== null ? (
    <Problem error={error} />
  ) : (
    address !== null && <img className="artifact-image" src={address} alt={artifact.name} />
  );
}
