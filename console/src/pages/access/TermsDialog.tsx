import { Button, Checkbox, Group, Modal, NumberInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../../api/queries';
import { t } from '../../strings';
import { Loaded } from '../../ui/States';
import { localTime } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { wantedOf, type Wanted } from './draft';

/** Edits the terms of the selected cells in the draft, starting from those of the focused cell. */
export function TermsDialog({
  agent,
  tool,
  count,
  now,
  onClose,
  onChoose,
}: {
  agent: string;
  tool: string;
  count: number;
  now: Wanted | null;
  onClose: () => void;
  onChoose: (wanted: Wanted) => void;
}) {
  const query = useQuery(queries.permissions(agent));
  return (
    <Modal opened onClose={onClose} size="lg" title={t.access.terms} closeButtonProps={{ 'aria-label': t.close }}>
      <Text size="sm" mb="sm">
        <Untrusted>{agent}</Untrusted> · <Untrusted mono>{tool}</Untrusted>
        {count > 1 && ` ${t.access.selected(count)}`}
      </Text>
      <Loaded query={query} lines={3}>
        {({ permissions }) => {
          const own = permissions
            .find((each) => each.tool_name === tool)
            ?.sources.find((source) => source.source === 'agent');
          return <TermsForm start={now ?? wantedOf(own)} onChoose={onChoose} />;
        }}
      </Loaded>
    </Modal>
  );
}

function TermsForm({ start, onChoose }: { start: Wanted; onChoose: (wanted: Wanted) => void }) {
  const terms = start.kind === 'allow' ? start.terms : {};
  const [kind, setKind] = useState<Wanted['kind']>(start.kind);
  const [approval, setApproval] = useState(terms.requires_approval ?? false);
  const [condition, setCondition] = useState(terms.condition ?? '');
  const [until, setUntil] = useState(localTime(terms.expires_at ?? null));
  const [uses, setUses] = useState<number | string>(terms.max_uses ?? '');
  const [notes, setNotes] = useState(terms.notes ?? '');
  const chosen = (): Wanted =>
    kind === 'allow'
      ? {
          kind,
          terms: {
            ...(approval && { requires_approval: true }),
            ...(condition.trim() !== '' && { condition: condition.trim() }),
            // Examples belong to the condition that they were written for.
            ...(condition.trim() === terms.condition &&
              terms.condition_examples !== undefined && { condition_examples: terms.condition_examples }),
            ...(until !== '' && { expires_at: new Date(until).toISOString() }),
            ...(typeof uses === 'number' && { max_uses: uses }),
            ...(notes.trim() !== '' && { notes: notes.trim() }),
          },
        }
      : { kind };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(chosen());
      }}
    >
      <Stack>
        <SegmentedControl
          aria-label={t.permissions.state}
          value={kind}
          onChange={(value) => setKind(value as Wanted['kind'])}
          data={(['allow', 'refuse', 'clear'] as const).map((each) => ({
            value: each,
            label: t.permissions.wanted[each],
          }))}
        />
        <Text size="sm" c="dimmed">
          {t.permissions.wantedAbout.agent[kind]}
        </Text>
        {kind === 'allow' && (
          <>
            <Checkbox
              label={t.permissions.terms.requires_approval}
              checked={approval}
              onChange={(event) => setApproval(event.currentTarget.checked)}
            />
            <Textarea
              label={t.permissions.terms.condition}
              description={t.permissions.conditionAbout}
              autosize
              minRows={2}
              classNames={{ input: 'mono' }}
              value={condition}
              onChange={(event) => setCondition(event.currentTarget.value)}
            />
            <TextInput
              type="datetime-local"
              label={t.permissions.terms.expires_at}
              value={until}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
            <NumberInput label={t.permissions.terms.max_uses} min={1} value={uses} onChange={setUses} />
            <TextInput
              label={t.permissions.notes}
              value={notes}
              onChange={(event) => setNotes(event.currentTarget.value)}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button type="submit">{t.access.toDraft}</Button>
        </Group>
      </Stack>
    </form>
  );
}
