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
    <div className="page-header">
      <div>
        <h1>{heading ?? title}</h1>
        {about !== undefined && <div className="page-about">{about}</div>}
      </div>
      <div className="page-actions">{children}</div>
      <TabTitle title={title} />
    </div>
  );
}

/** The title of the tab. By itself, so that another number in it renders nothing else. */
function TabTitle({ title }: { title: string }) {
  const waiting = useBadge();
  useDocumentTitle(`${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${t.product}`);
  return null;
}
