import { Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useBadge } from '../app/badge';
import { t } from '../strings';

/** The heading of a page, which is also the title of the tab. */
export function PageHeader({
  title,
  heading,
  about,
  children,
}: {
  title: string;
  heading?: ReactNode;
  about?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm" className="page-header">
      <div>
        <Title order={1} size="h2">
          {heading ?? title}
        </Title>
        {about !== undefined && (
          <Text c="dimmed" size="sm" component="div" maw={760}>
            {about}
          </Text>
        )}
      </div>
      <Group gap="xs">{children}</Group>
      <TabTitle title={title} />
    </Group>
  );
}

/** The title of the tab. By itself, so that another number in it renders nothing else. */
function TabTitle({ title }: { title: string }) {
  const waiting = useBadge();
  useDocumentTitle(`${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${t.product}`);
  return null;
}
