import { Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import type { AuditRecord } from '../../api/types';
import { t } from '../../strings';
import { OutcomeBadge } from '../../ui/badges';
import { formatDuration, Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';

/** Records as rows that link to their pages. */
export function RecordList({ records, list }: { records: AuditRecord[]; list?: RefObject<HTMLUListElement | null> }) {
  return (
    <ul className="rows records" ref={list} aria-label={t.activity.list}>
      {records.map((record) => (
        <li key={record.id} className="row">
          <Link
            to="/activity/$id"
            params={{ id: String(record.id) }}
            search={{ request: record.request_id }}
            className="row-button record"
            data-record={record.id}
          >
            <span className="record-time">
              <Time at={record.timestamp} short />
            </span>
            <span className="record-outcome">
              <OutcomeBadge record={record} />
            </span>
            <span className="record-tool">
              <strong>
                <Untrusted mono>{record.tool_name}</Untrusted>
              </strong>
            </span>
            <span className="record-agent">
              <Untrusted>{record.agent_id}</Untrusted>
            </span>
            <span className="record-text">
              <Untrusted>{record.denial_reason ?? record.result_summary ?? ''}</Untrusted>
            </span>
            <span className="record-duration">
              {record.execution_time_ms === null ? '' : formatDuration(record.execution_time_ms)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
