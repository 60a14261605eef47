import { ActionIcon, Alert, Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { components } from '#schema';
import { answer, api } from '../../api/client';
import { t } from '../../strings';
import { ResultBadge } from '../../ui/badges';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { Problem } from '../../ui/States';
import { Untrusted, visibleParts } from '../../ui/Untrusted';
import { parsed } from './schema';

type Review = components['schemas']['ConditionReview'];
type Mistake = Review['mistakes'][number];

const route = getRouteApi('/try');
const MAX_EXAMPLES = 50;
/** Longer ones are not put into the URL. */
const MAX_IN_ADDRESS = 3000;
const FIRST_EXAMPLE = JSON.stringify({ agent: 'writer', tool: 'file_write', params: { path: 'src/main.py' } }, null, 2);

function examplesOf(text: string | undefined): string[] {
  const found = parsed(text ?? '');
  return Array.isArray(found) && found.every((each) => typeof each === 'string') ? found : [FIRST_EXAMPLE];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A condition with its errors marked, and the results of examples. Nothing is stored. */
export function ConditionTab() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [condition, setCondition] = useState(search.condition ?? '');
  const [examples, setExamples] = useState(() => examplesOf(search.examples));
  const field = useRef<HTMLTextAreaElement>(null);
  const share = useDebouncedCallback((text: string, calls: string[]) => {
    const kept = JSON.stringify(calls);
    void navigate({
      search: {
        view: 'condition',
        ...(text !== '' && { condition: text }),
        ...(kept.length <= MAX_IN_ADDRESS && { examples: kept }),
      },
      replace: true,
    });
  }, 600);
  const change = (text: string, calls: string[]) => {
    setCondition(text);
    setExamples(calls);
    share(text, calls);
  };
  const values = examples.map(parsed);
  // Examples that are not objects are not sent; their fields show the error.
  const sent = values.flatMap((value, number) => (isObject(value) ? [{ number, value }] : []));
  const body = { condition, examples: sent.map((each) => each.value) };
  const asking = { body, numbers: sent.map((each) => each.number) };
  const [asked] = useDebouncedValue(condition.trim() === '' ? '' : JSON.stringify(asking), 400);
  const question = asked === '' ? null : (JSON.parse(asked) as typeof asking);
  const query = useQuery({
    queryKey: ['conditions', question?.body],
    queryFn: () => answer(api.POST('/api/v1/conditions/check', { body: question!.body })),
    enabled: question !== null,
    staleTime: Infinity,
    gcTime: 10_000,
    placeholderData: (before) => before,
  });
  const review = question === null ? undefined : query.data;
  const mistakes = review?.mistakes ?? [];
  const resultOf = (number: number) => {
    const at = question?.numbers.indexOf(number) ?? -1;
    return at < 0 ? undefined : review?.examples[at];
  };
  return (
    <div className="try-panes">
      <section aria-label={t.try.condition}>
        <Stack gap="sm">
          <Textarea
            ref={field}
            label={t.permissions.terms.condition}
            description={t.try.conditionAbout}
            value={condition}
            autosize
            minRows={4}
            maxLength={2000}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            placeholder={'params.path.startsWith("src/")'}
            onChange={(event) => change(event.currentTarget.value, examples)}
          />
          <div aria-live="polite">
            {query.error !== null && <Problem error={query.error} />}
            {review !== undefined && review.valid && (
              <Alert color="green" variant="light" icon={<Icon name="check" />} title={t.try.valid} />
            )}
            {mistakes.length > 0 && (
              <Mistakes
                condition={question?.body.condition ?? ''}
                mistakes={mistakes}
                onChoose={(mistake) => moveTo(field.current, condition, mistake)}
              />
            )}
          </div>
          <Group>
            <Command cli={null} http={{ method: 'POST', path: '/api/v1/conditions/check', body }} />
          </Group>
        </Stack>
      </section>
      <section aria-labelledby="examples">
        <Group justify="space-between" mb="xs">
          <Title order={2} size="h4" id="examples">
            {t.try.examples}
          </Title>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            disabled={examples.length >= MAX_EXAMPLES}
            onClick={() => change(condition, [...examples, FIRST_EXAMPLE])}
          >
            {t.try.addExample}
          </Button>
        </Group>
        <Text size="sm" c="dimmed" mb="sm">
          {t.try.examplesAbout}
        </Text>
        <Stack gap="sm">
          {examples.map((text, number) => (
            <Example
              key={number}
              number={number + 1}
              text={text}
              valid={isObject(values[number])}
              result={resultOf(number)}
              onChange={(next) => change(condition, examples.with(number, next))}
              onRemove={() => change(condition, examples.toSpliced(number, 1))}
            />
          ))}
        </Stack>
      </section>
    </div>
  );
}

function Example({
  number,
  text,
  valid,
  result,
  onChange,
  onRemove,
}: {
  number: number;
  text: string;
  valid: boolean;
  result: Review['examples'][number] | undefined;
  onChange: (text: string) => void;
  onRemove: () => void;
}) {
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" mb={4} mih={30}>
        <div role="status" aria-label={t.try.resultOf(number)}>
          {valid && result !== undefined && <ResultBadge result={result.result} />}
        </div>
        <ActionIcon variant="subtle" aria-label={t.try.removeExample(number)} onClick={onRemove}>
          <Icon name="cross" size={16} />
        </ActionIcon>
      </Group>
      <Textarea
        label={t.try.example(number)}
        value={text}
        autosize
        minRows={2}
        maxRows={16}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        error={valid ? undefined : t.try.notAnObject}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {valid && result?.problem != null && (
        <Text size="sm" mt={4}>
          <Untrusted>{result.problem}</Untrusted>
        </Text>
      )}
    </Paper>
  );
}

/** The condition line by line, with every mistake marked in its place. */
function Mistakes({
  condition,
  mistakes,
  onChoose,
}: {
  condition: string;
  mistakes: Mistake[];
  onChoose: (mistake: Mistake) => void;
}) {
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t.try.mistakes(mistakes.length)}>
      <pre className="untrusted-block mistakes" dir="ltr">
        {condition.split('\n').map((line, number) => (
          <MarkedLine
            key={number}
            line={line}
            columns={mistakes.filter((each) => each.line === number + 1).map((each) => each.column)}
          />
        ))}
      </pre>
      <ul className="names mistake-list">
        {mistakes.map((mistake, number) => (
          <li key={number}>
            <button type="button" className="link" onClick={() => onChoose(mistake)}>
              {t.try.place(mistake.line, mistake.column)}
            </button>{' '}
            <Untrusted>{mistake.message}</Untrusted>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function MarkedLine({ line, columns }: { line: string; columns: number[] }) {
  const characters = [...line];
  const column = columns.length === 0 ? null : Math.min(Math.max(Math.min(...columns), 1), characters.length + 1);
  return (
    <span className="line">
      {column === null ? (
        visibleParts(line)
      ) : (
        <>
          {visibleParts(characters.slice(0, column - 1).join(''))}
          <mark className="mistake">{visibleParts(characters[column - 1] ?? ' ')}</mark>
          {visibleParts(characters.slice(column).join(''))}
        </>
      )}
      {'\n'}
    </span>
  );
}

/** Puts the cursor where a mistake is. */
function moveTo(field: HTMLTextAreaElement | null, condition: string, mistake: Mistake): void {
  const before = condition.split('\n').slice(0, mistake.line - 1);
  const line = [...(condition.split('\n')[mistake.line - 1] ?? '')];
  const at = before.join('\n').length + (before.length > 0 ? 1 : 0) + line.slice(0, mistake.column - 1).join('').length;
  field?.focus();
  field?.setSelectionRange(at, at + 1);
}
