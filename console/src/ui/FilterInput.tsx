import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useShortcuts } from '../app/shortcuts';
import { t } from '../strings';
import { Icon } from './Icon';

/** The text filter of a list; the key / focuses it. */
export function FilterInput({
  value,
  onChange,
  placeholder = t.filter,
}: {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => input.current?.focus() });
  return (
    <TextInput
      ref={input}
      aria-label={t.filter}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={15} />}
      maw={360}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
