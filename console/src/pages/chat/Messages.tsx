import { Alert, Text } from '@mantine/core';
import { memo } from 'react';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';
import { Untrusted, visibleParts } from '../../ui/Untrusted';
import type { Answer, Block, Message } from './blocks';
import { Tool } from './Tool';

/** One message; only the running one changes, so only that is drawn again. */
export const MessageView = memo(function MessageView({
  message,
  dangerous,
  mayApprove,
}: {
  message: Message;
  dangerous: ReadonlySet<string>;
  mayApprove: boolean;
}) {
  return message.role === 'user' ? (
    <li className="chat-message said">
      <span className="visually-hidden">{t.chat.you}: </span>
      <Prose text={message.text} />
    </li>
  ) : (
    <li className="chat-message answer">
      <Text size="xs" c="dimmed" mb={4}>
        <Untrusted>{message.model}</Untrusted>
      </Text>
      {message.blocks.map((block, at) => (
        <BlockView
          key={at}
          block={block}
          last={message.state === 'running' && at === message.blocks.length - 1}
          dangerous={block.kind === 'tool' && dangerous.has(block.name)}
          mayApprove={mayApprove && message.state === 'running'}
        />
      ))}
      <End answer={message} />
    </li>
  );
});

/** Text of a model, always shown as plain text, with its line breaks. */
function Prose({ text }: { text: string }) {
  return (
    <div className="chat-text" dir="auto">
      {visibleParts(text)}
    </div>
  );
}

function BlockView({
  block,
  last,
  dangerous,
  mayApprove,
}: {
  block: Block;
  last: boolean;
  dangerous: boolean;
  mayApprove: boolean;
}) {
  switch (block.kind) {
    case 'text':
      return <Prose text={block.text} />;
    case 'thinking':
      return (
        <details className="chat-thoughts" open={last}>
          <summary>{last ? t.chat.thinking : t.chat.thoughts}</summary>
          <Prose text={block.text} />
        </details>
      );
    case 'tool':
      return <Tool block={block} dangerous={dangerous} mayApprove={mayApprove} />;
  }
}

function End({ answer }: { answer: Answer }) {
  switch (answer.state) {
    case 'running':
      return answer.blocks.length === 0 ? (
        <Text size="sm" c="dimmed" role="status">
          {t.chat.working}
        </Text>
      ) : null;
    case 'stopped':
      return (
        <Text size="sm" c="dimmed" role="status">
          {t.chat.stopped}
        </Text>
      );
    case 'failed':
      return (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} title={answer.problem?.message} role="alert" mt="xs">
          <Text size="sm">{answer.problem?.remediation}</Text>
        </Alert>
      );
    case 'done': {
      const why = t.chat.reasons[answer.stopReason] ?? '';
      return why === '' ? null : (
        <Text size="sm" c="dimmed">
          {why}
        </Text>
      );
    }
  }
}
