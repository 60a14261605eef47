import { Anchor, Badge, Button, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../strings';
import { Arguments } from '../../ui/Arguments';
import { Command } from '../../ui/Command';
import { Difference, looksLikeDifference } from '../../ui/Difference';
import { Icon, type IconName } from '../../ui/Icon';
import { Countdown } from '../../ui/time';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';
import type { Question, ToolBlock } from './blocks';
import { conversation } from './conversation';

const LOOKS: Record<ToolBlock['state'], { colour: string; icon: IconName }> = {
  asked: { colour: 'blue', icon: 'person' },
  running: { colour: 'cyan', icon: 'clock' },
  success: { colour: 'green', icon: 'check' },
  error: { colour: 'orange', icon: 'warning' },
  denied: { colour: 'red', icon: 'cross' },
};

/** A tool call: its arguments, its output while it runs, and its result. */
export function Tool({ block, dangerous, mayApprove }: { block: ToolBlock; dangerous: boolean; mayApprove: boolean }) {
  const { colour, icon } = LOOKS[block.state];
  const over = block.state !== 'asked' && block.state !== 'running';
  return (
    <section className="chat-tool" aria-label={block.name}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Group gap={6} wrap="nowrap">
          <Icon name="tools" size={16} />
          <strong>
            <Untrusted mono>{block.name}</Untrusted>
          </strong>
        </Group>
        <Badge color={colour} variant="light" radius="sm" leftSection={<Icon name={icon} size={12} />} className="sign" role="status">
          {t.chat.states[block.state]}
        </Badge>
      </Group>
      {block.question !== null ? (
        <Asked block={block} question={block.question} dangerous={dangerous} mayApprove={mayApprove} />
      ) : (
        <>
          {Object.keys(block.input).length > 0 && (
            <details>
              <summary>{t.chat.input}</summary>
              <Arguments value={block.input} />
            </details>
          )}
          {block.output !== '' && !over && (
            <>
              {block.outputCut && (
                <Text size="xs" c="dimmed">
                  {t.chat.outputCut}
                </Text>
              )}
              <div className="chat-output">
                <UntrustedBlock text={block.output} label={t.chat.output} />
              </div>
            </>
          )}
          {over && block.result !== '' && (
            <details open={block.state !== 'success'}>
              <summary>{t.chat.result}</summary>
              <UntrustedBlock text={block.result} label={t.chat.result} />
            </details>
          )}
        </>
      )}
    </section>
  );
}

/** The approval request inside the answer. A dangerous tool needs a second press, as on the approvals page. */
function Asked({
  block,
  question,
  dangerous,
  mayApprove,
}: {
  block: ToolBlock;
  question: Question;
  dangerous: boolean;
  mayApprove: boolean;
}) {
  const [armed, setArmed] = useState(false);
  return (
    <div className="chat-question">
      <Text size="sm" mt={6}>
        <Untrusted>{question.reason}</Untrusted>
      </Text>
      {question.preview !== '' && (
        <>
          <Title order={2} size="h6" mt="xs">
            {t.chat.preview}
          </Title>
          {looksLikeDifference(question.preview) ? (
            <Difference text={question.preview} label={t.chat.preview} />
          ) : (
            <UntrustedBlock text={question.preview} label={t.chat.preview} />
          )}
        </>
      )}
      <Title order={2} size="h6" mt="xs" mb={4}>
        {t.chat.input}
      </Title>
      <Arguments value={block.input} />
      {armed && !question.answered && (
        <Text size="sm" mt="xs" className="attention" role="alert">
          {t.chat.sure}
        </Text>
      )}
      <Group mt="sm" gap="xs">
        {question.answered ? (
          <Text size="sm" role="status">
            {t.chat.answered}
          </Text>
        ) : mayApprove ? (
          <>
            <Button
              size="sm"
              color={armed ? 'orange.9' : 'blue'}
              leftSection={<Icon name="check" size={16} />}
              onClick={() => (dangerous && !armed ? setArmed(true) : conversation.answer(block, true))}
            >
              {armed ? t.chat.approveSure : t.chat.approve}
            </Button>
            <Button
              size="sm"
              color="red"
              variant="outline"
              leftSection={<Icon name="cross" size={16} />}
              onClick={() => conversation.answer(block, false)}
            >
              {t.chat.deny}
            </Button>
          </>
        ) : (
          <Text size="sm">{t.chat.cannotApprove}</Text>
        )}
        <Text size="sm" c="dimmed">
          {t.approvals.expiresIn} <Countdown until={question.expiresAt} />
        </Text>
        {mayApprove && (
          <Anchor size="sm" renderRoot={(props) => <Link to="/approvals" search={{ id: question.approvalId }} {...props} />}>
            {t.chat.toApproval}
          </Anchor>
        )}
        {mayApprove && (
          <Command
            cli={['approvals', 'approve', question.approvalId]}
            http={{ method: 'POST', path: `/api/v1/approvals/${question.approvalId}`, body: { approved: true } }}
          />
        )}
      </Group>
    </div>
  );
}
