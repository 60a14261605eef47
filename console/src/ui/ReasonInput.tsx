import { TextInput } from '@mantine/core';
import { t } from '../strings';

/** Why something is changed; it goes into the records. */
export function ReasonInput({
  value,
  onChange,
  autoFocus = false,
}: {
  value: string;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}) {
  return (
    <TextInput
      label={t.reason}
      description={t.reasonAbout}
      value={value}
      maxLength={300}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(autoFocus && { 'data-autofocus': true })}
    />
  );
}

/** The address of a change with its reason. */
export function withReason(path: string, reason: string): string {
  return reason === '' ? path : `${path}?reason=${encodeURIComponent(reason)}`;
}
