import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { auditFacets, type AuditFilter } from '../../api/audit';
import { t } from '../../strings';
import { Loaded } from '../../ui/States';
import { formatNumber } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import type { ActivitySearch } from './filters';

const NAMES = ['status', 'agent_id', 'tool_name', 'error_code', 'kind'] as const;

/** The most frequent values of the filtered records, with their counts; a pressed one is part of the filter. */
export function Facets({
  filter,
  search,
  onChange,
}: {
  /** With a start and an end time. */
  filter: AuditFilter;
  search: ActivitySearch;
  onChange: (part: ActivitySearch) => void;
}) {
  const query = useQuery({ ...auditFacets(filter), placeholderData: (before) => before });
  return (
    <Loaded query={query} lines={8}>
      {({ facets, approximate }) => (
        <div className="facets">
          {NAMES.filter((name) => facets[name].values.length > 0 && (name !== 'kind' || facets.kind.values.length > 1)).map(
            (name) => (
              <section key={name} aria-label={t.activity.parameters[name]}>
                <h2 className="facet-name">{t.activity.parameters[name]}</h2>
                <ul>
                  {facets[name].values.map(({ value, records }) => (
                    <li key={value}>
                      <button
                        type="button"
                        className="facet"
                        aria-pressed={search[name] === value}
                        onClick={() => onChange({ [name]: search[name] === value ? '' : value })}
                      >
                        <span className="facet-value">
                          {name === 'status' ? (
                            t.outcomes[value as keyof typeof t.outcomes]
                          ) : name === 'kind' ? (
                            t.activity.kinds[value as keyof typeof t.activity.kinds]
                          ) : (
                            <Untrusted>{value}</Untrusted>
                          )}
                        </span>
                        <span className="facet-count">{formatNumber(records)}</span>
                      </button>
                    </li>
                  ))}
                </ul>
                {facets[name].more && (
                  <Text size="xs" c="dimmed">
                    {t.activity.moreValues}
                  </Text>
                )}
              </section>
            ),
          )}
          {approximate && (
            <Text size="xs" c="dimmed">
              {t.activity.approximate}
            </Text>
          )}
        </div>
      )}
    </Loaded>
  );
}
