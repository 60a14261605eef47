import { TextInput } from '@mantine/core';
import { t } from '../strings';

/** The reason of a change, for the audit record. */
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

/** The path of a change with its reason as a query parameter. */
export function withReason(path: string, reason: string): string {
  return reason === '' ? path : `${path}?reason=${encodeURIComponent(reason)}`;
}
