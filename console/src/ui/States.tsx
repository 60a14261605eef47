import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/errors';
import { t } from '../strings';
import { Icon, type IconName } from './Icon';

/** Placeholder lines while content loads. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <div className="loading" role="status" aria-label={t.states.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} style={{ width: `${95 - ((line * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

/** An empty state, with a hint. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={32} />
      </span>
      <h2>{title}</h2>
      <div className="empty-about">{children}</div>
    </div>
  );
}

/** An error with its remediation. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const known = error instanceof ApiError ? error : null;
  return (
    <div className="problem" role="alert">
      <Icon name="warning" size={20} />
      <div>
        <strong>{known?.message ?? t.errors.page}</strong>
        <p>{known?.remediation ?? t.errors.retry}</p>
        {known !== null && known.correlationId !== '' && (
          <p className="correlation">
            {t.errors.correlation} <code>{known.correlationId}</code>
          </p>
        )}
        {retry && (
          <button type="button" className="mantine-focus-auto mantine-active plain-button" onClick={retry}>
            {t.errors.again}
          </button>
        )}
      </div>
    </div>
  );
}

/** A query in all of its states. Existing data stays visible while newer data is fetched, with an error above it. */
export function Loaded<T>({
  query,
  lines,
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  return (
    <>
      {query.error !== null && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data !== undefined
        ? children(query.data)
        : query.error === null && <Loading {...(lines !== undefined && { lines })} />}
    </>
  );
}
