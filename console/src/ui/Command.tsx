import { ActionIcon, Button, CopyButton, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { t } from '../strings';
import { Icon } from './Icon';
import { UntrustedBlock } from './Untrusted';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
}

/** Quotes any text for a shell. */
export function quoted(text: string): string {
  return /^[A-Za-z0-9_./:@=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The line for the toolgate command. */
export function commandLine(words: (string | false | null | undefined)[]): string {
  return ['toolgate', ...words.filter((word): word is string => typeof word === 'string').map(quoted)].join(' ');
}

/** The same with curl. The key comes from the environment, so that it is not in the history of the shell. */
export function curlLine({ method, path, body }: HttpRequest): string {
  const parts = ['curl -sS', method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method}`];
  parts.push('-H "Authorization: Bearer $TOOLGATE_KEY"');
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  }
  parts.push(quoted(window.location.origin + path));
  return parts.filter((part) => part !== '').join(' ');
}

/** A line to copy. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <div className="copyable">
      <UntrustedBlock text={text} label={label} />
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t.command.copied : t.command.copy}>
            <ActionIcon variant="default" aria-label={`${t.command.copy}: ${label}`} onClick={copy}>
              <Icon name={copied ? 'check' : 'copy'} size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}

/** The command and the HTTP requests for an action, so that it can be scripted. */
export function Command({
  cli,
  http,
}: {
  cli: (string | false | null | undefined)[] | null;
  http: HttpRequest | HttpRequest[] | null;
}) {
  return (
    <Popover width="min(560px, 92vw)" position="bottom-end" shadow="md" withArrow trapFocus>
      <Popover.Target>
        <Button variant="subtle" size="compact-sm" leftSection={<Icon name="command" size={15} />}>
          {t.command.show}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.command.title}>
        <Stack gap="xs">
          {cli !== null && (
            <>
              <Text size="sm" fw={600}>
                {t.command.cli}
              </Text>
              <Copyable text={commandLine(cli)} label={t.command.cli} />
            </>
          )}
          {http !== null && (
            <>
              <Text size="sm" fw={600}>
                {t.command.curl}
              </Text>
              <Copyable text={[http].flat().map(curlLine).join('\n')} label={t.command.curl} />
            </>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
