import { Badge, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries';
import { t } from '../../strings';
import { Difference, looksLikeDifference } from '../../ui/Difference';
import { Icon } from '../../ui/Icon';
import { Empty, Loaded } from '../../ui/States';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';

const COLOURS = { added: 'green', modified: 'blue', deleted: 'red' } as const;
const ICONS = { added: 'plus', modified: 'changes', deleted: 'cross' } as const;

/** What a session has changed in files, as differences. */
export function FileChanges({ session }: { session: string }) {
  const query = useQuery(queries.sessionChanges(session));
  return (
    <Loaded query={query}>
      {({ files, not_shown: more }) =>
        files.length === 0 ? (
          <Empty icon="changes" title={t.sessions.noFiles}>
            {t.sessions.noFilesAbout}
          </Empty>
        ) : (
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t.sessions.filesAbout}
            </Text>
            {files.map((file) => (
              <section key={file.path}>
                <Text size="sm" fw={600} mb={4} component="h2">
                  <Badge
                    color={COLOURS[file.change]}
                    variant="light"
                    radius="sm"
                    className="sign"
                    leftSection={<Icon name={ICONS[file.change]} size={12} />}
                  >
                    {t.sessions.fileChanges[file.change]}
                  </Badge>{' '}
                  <Untrusted mono>{file.path}</Untrusted>
                </Text>
                {file.diff === undefined ? (
                  <Text size="sm" c="dimmed">
                    {t.sessions.noDifference}
                  </Text>
                ) : looksLikeDifference(file.diff) ? (
                  <Difference text={file.diff} label={file.path} />
                ) : (
                  <UntrustedBlock text={file.diff} label={file.path} />
                )}
              </section>
            ))}
            {more > 0 && <Text size="sm">{t.sessions.moreFiles(more)}</Text>}
          </Stack>
        )
      }
    </Loaded>
  );
}
