import { ActionIcon, Button, Fieldset, Group, NativeSelect, NumberInput, Stack, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';
import { Untrusted } from '../../ui/Untrusted';
import { INVALID, parsed, type Plan, type Schema } from './schema';

const MAX_ITEMS = 50;

interface FieldProps<P extends Plan> {
  plan: P;
  name: string;
  required: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** One field of the form for a value of a schema; names and descriptions are untrusted text from the tool's author. */
export function SchemaField(props: FieldProps<Plan>) {
  const { plan } = props;
  switch (plan.kind) {
    case 'text':
      return <TextField {...props} plan={plan} />;
    case 'choice':
      return <ChoiceField {...props} plan={plan} />;
    case 'number':
      return <NumberField {...props} plan={plan} />;
    case 'boolean':
      return <ChoiceField {...props} plan={{ kind: 'choice', schema: plan.schema, values: [true, false] }} />;
    case 'list':
      return <ListField {...props} plan={plan} />;
    case 'object':
      return <ObjectField {...props} plan={plan} />;
    case 'json':
      return <JsonField {...props} plan={plan} />;
  }
}

function label(name: string): ReactNode {
  return <Untrusted mono>{name}</Untrusted>;
}

function about(schema: Schema): ReactNode {
  const text = typeof schema.description === 'string' ? schema.description : '';
  if (text === '' && schema.default === undefined) {
    return undefined;
  }
  return (
    <>
      <Untrusted>{text}</Untrusted>
      {schema.default !== undefined && (
        <>
          {text === '' ? '' : ' '}
          {t.try.default} <Untrusted mono>{JSON.stringify(schema.default)}</Untrusted>
        </>
      )}
    </>
  );
}

function TextField({ plan, name, required, value, onChange }: FieldProps<Plan & { kind: 'text' }>) {
  return (
    <Textarea
      label={label(name)}
      description={about(plan.schema)}
      withAsterisk={required}
      value={typeof value === 'string' ? value : ''}
      autosize
      minRows={1}
      maxRows={12}
      classNames={{ input: 'mono' }}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange(text === '' && !required ? undefined : text);
      }}
    />
  );
}

function ChoiceField({ plan, name, required, value, onChange }: FieldProps<Plan & { kind: 'choice' }>) {
  const chosen = plan.values.findIndex((each) => JSON.stringify(each) === JSON.stringify(value));
  return (
    <NativeSelect
      label={label(name)}
      description={about(plan.schema)}
      withAsterisk={required}
      value={String(chosen)}
      onChange={(event) => onChange(plan.values[Number(event.currentTarget.value)])}
      data={[
        { value: '-1', label: t.try.notSet },
        ...plan.values.map((each, number) => ({
          value: String(number),
          label: typeof each === 'string' ? each : JSON.stringify(each),
        })),
      ]}
    />
  );
}

function NumberField({ plan, name, required, value, onChange }: FieldProps<Plan & { kind: 'number' }>) {
  const { minimum, maximum } = plan.schema;
  return (
    <NumberInput
      label={label(name)}
      description={about(plan.schema)}
      withAsterisk={required}
      value={typeof value === 'number' ? value : ''}
      allowDecimal={!plan.whole}
      clampBehavior="none"
      {...(typeof minimum === 'number' && { min: minimum })}
      {...(typeof maximum === 'number' && { max: maximum })}
      onChange={(typed) => onChange(typeof typed === 'number' ? typed : typed === '' ? undefined : INVALID)}
    />
  );
}

function ListField({ plan, name, required, value, onChange }: FieldProps<Plan & { kind: 'list' }>) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const set = (next: unknown[]) => onChange(next.length === 0 && !required ? undefined : next);
  return (
    <Fieldset legend={<Legend name={name} required={required} />} className="schema-group">
      <Stack gap="xs">
        {plan.schema.description !== undefined && <div className="row-sub">{about(plan.schema)}</div>}
        {items.map((item, number) => (
          <Group key={number} gap="xs" align="flex-end" wrap="nowrap">
            <div className="grow">
              <SchemaField
                plan={withoutDescription(plan.item)}
                name={`${name} ${number + 1}`}
                required
                value={item}
                onChange={(changed) => set(items.with(number, changed ?? emptyItem(plan.item)))}
              />
            </div>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t.try.removeItem(name, number + 1)}
              onClick={() => set(items.toSpliced(number, 1))}
            >
              <Icon name="cross" size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            disabled={items.length >= MAX_ITEMS}
            aria-label={t.try.addItem(name)}
            onClick={() => set([...items, emptyItem(plan.item)])}
          >
            {t.try.add}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** An empty item; only strings, objects and lists may stay empty. */
function emptyItem(plan: Plan): unknown {
  switch (plan.kind) {
    case 'text':
      return '';
    case 'object':
      return {};
    case 'list':
      return [];
    case 'choice':
    case 'number':
    case 'boolean':
    case 'json':
      return INVALID;
  }
}

/** The list says what its items are; each of them need not repeat it. */
function withoutDescription(plan: Plan): Plan {
  const { description: _, ...schema } = plan.schema;
  return { ...plan, schema } as Plan;
}

function Legend({ name, required }: { name: string; required: boolean }) {
  return (
    <>
      {label(name)}
      {required && (
        <span className="asterisk" aria-hidden="true">
          {' *'}
        </span>
      )}
    </>
  );
}

function ObjectField({ plan, name, required, value, onChange }: FieldProps<Plan & { kind: 'object' }>) {
  return (
    <Fieldset legend={<Legend name={name} required={required} />} className="schema-group">
      <Stack gap="sm">
        {plan.schema.description !== undefined && <div className="row-sub">{about(plan.schema)}</div>}
        <ObjectFields
          plan={plan}
          value={value}
          onChange={(next) => onChange(Object.keys(next).length === 0 && !required ? undefined : next)}
        />
      </Stack>
    </Fieldset>
  );
}

/** The fields of an object, without a frame around them. */
export function ObjectFields({
  plan,
  value,
  onChange,
}: {
  plan: Plan & { kind: 'object' };
  value: unknown;
  onChange: (value: Record<string, unknown>) => void;
}) {
  const object = value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  return (
    <>
      {plan.fields.map((field) => (
        <SchemaField
          key={field.name}
          plan={field.plan}
          name={field.name}
          required={field.required}
          value={Object.hasOwn(object, field.name) ? object[field.name] : undefined}
          onChange={(changed) => {
            const entries = Object.entries(object).filter(([each]) => each !== field.name);
            onChange(Object.fromEntries(changed === undefined ? entries : [...entries, [field.name, changed]]));
          }}
        />
      ))}
    </>
  );
}

function JsonField({ plan, name, required, value, onChange }: FieldProps<Plan & { kind: 'json' }>) {
  return (
    <JsonText label={label(name)} description={about(plan.schema)} required={required} value={value} onChange={onChange} />
  );
}

/** A value as JSON text; typed text is kept while it is not valid JSON yet. */
export function JsonText({
  label: text,
  description,
  required = false,
  value,
  onChange,
  minRows = 1,
}: {
  label: ReactNode;
  description?: ReactNode;
  required?: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
  minRows?: number;
}) {
  const [typed, setTyped] = useState(() => (value === undefined || value === INVALID ? '' : JSON.stringify(value, null, 2)));
  return (
    <Textarea
      label={text}
      description={
        <>
          {description} {t.try.asJson}
        </>
      }
      withAsterisk={required}
      value={typed}
      autosize
      minRows={minRows}
      maxRows={20}
      classNames={{ input: 'mono' }}
      error={parsed(typed) === INVALID ? t.try.notJson : undefined}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(parsed(event.currentTarget.value));
      }}
    />
  );
}
