import { Autocomplete, Button, Group, Pill, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type RefObject } from 'react';
import { queries } from '../../api/queries';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import type { ActivitySearch } from './filters';

/** The fields of the filter. */
export function Filters({
  search,
  onChange,
  text,
}: {
  search: ActivitySearch;
  onChange: (part: ActivitySearch) => void;
  text: RefObject<HTMLInputElement | null>;
}) {
  const may = useMay();
  const { data: tools } = useQuery(queries.tools);
  const { data: agents } = useQuery({ ...queries.agents, enabled: may('read_permissions') });
  return (
    <search className="filters">
      <Autocomplete
        label={t.activity.agent}
        value={search.agent_id ?? ''}
        onChange={(value) => onChange({ agent_id: value })}
        data={(agents ?? []).map((each) => each.agent_id)}
        limit={20}
      />
      <Autocomplete
        label={t.activity.tool}
        value={search.tool_name ?? ''}
        onChange={(value) => onChange({ tool_name: value })}
        data={[...new Set((tools ?? []).map((each) => each.name))]}
        limit={20}
      />
      <Select
        label={t.activity.outcome}
        value={search.allowed ?? ''}
        onChange={(value) => onChange({ allowed: value ?? '' })}
        data={[
          { value: '', label: t.all },
          { value: 'true', label: t.activity.allowed },
          { value: 'false', label: t.activity.refused },
        ]}
        allowDeselect={false}
      />
      <Select
        label={t.activity.kind}
        value={search.kind ?? 'call'}
        onChange={(value) => onChange({ kind: value === 'call' || value === null ? '' : value })}
        data={[
          { value: 'call', label: t.activity.kinds.call },
          { value: 'administration', label: t.activity.kinds.administration },
          { value: 'all', label: t.activity.kinds.all },
        ]}
        allowDeselect={false}
      />
      <Select
        label={t.activity.since}
        value={search.start_date !== undefined || search.end_date !== undefined ? 'chosen' : (search.since ?? '')}
        onChange={(value) =>
          value !== 'chosen' && onChange({ since: value ?? '', start_date: '', end_date: '' })
        }
        data={[
          { value: '', label: t.activity.anyTime },
          { value: '1h', label: t.activity.lastHour },
          { value: '24h', label: t.activity.lastDay },
          { value: '7d', label: t.activity.lastWeek },
          { value: '30d', label: t.activity.lastMonth },
          ...(search.start_date !== undefined || search.end_date !== undefined
            ? [{ value: 'chosen', label: t.activity.chosenPeriod }]
            : []),
        ]}
        allowDeselect={false}
      />
      <TextFilter key={search.q ?? ''} value={search.q ?? ''} onChange={(q) => onChange({ q })} input={text} />
    </search>
  );
}

/** The active filters as removable chips. */
export function Chips({
  search,
  onChange,
  onClear,
}: {
  search: ActivitySearch;
  onChange: (part: ActivitySearch) => void;
  onClear: () => void;
}) {
  const names = (Object.keys(search) as (keyof ActivitySearch)[]).filter((name) => name !== 'page');
  if (names.length === 0) {
    return null;
  }
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={t.activity.chips}>
      {names.map((name) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{
            'aria-label': t.activity.removeFilter(t.activity.parameters[name]),
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => onChange({ [name]: '' })}
        >
          {t.activity.parameters[name]}: <Chosen name={name} value={search[name] ?? ''} />
        </Pill>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {t.activity.clearFilters}
      </Button>
    </Group>
  );
}

function Chosen({ name, value }: { name: keyof ActivitySearch; value: string }) {
  if ((name === 'start_date' || name === 'end_date') && !Number.isNaN(Date.parse(value))) {
    return <Time at={value} short />;
  }
  const known: Partial<Record<keyof ActivitySearch, Record<string, string>>> = {
    status: t.outcomes,
    kind: t.activity.kinds,
    allowed: { true: t.activity.allowed, false: t.activity.refused },
    since: {
      '1h': t.activity.lastHour,
      '24h': t.activity.lastDay,
      '7d': t.activity.lastWeek,
      '30d': t.activity.lastMonth,
    },
  };
  return <Untrusted>{known[name]?.[value] ?? value}</Untrusted>;
}

function TextFilter({
  value,
  onChange,
  input,
}: {
  value: string;
  onChange: (value: string) => void;
  input: RefObject<HTMLInputElement | null>;
}) {
  const [typed, setTyped] = useState(value);
  const later = useDebouncedCallback(onChange, 500);
  return (
    <TextInput
      ref={input}
      label={t.activity.text}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}
