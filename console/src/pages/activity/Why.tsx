import { Alert, Button, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import type { AuditRecord } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';
import { Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';

/** What the gate would decide about the same call now, and why. Nothing runs and nothing is recorded. */
export function Why({ record }: { record: AuditRecord }) {
  const may = useMay();
  const [opened, setOpened] = useState(false);
  if (!may('call_for_any_agent')) {
    return null;
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {t.activity.why}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t.activity.whyTitle} closeButtonProps={{ 'aria-label': t.close }}>
        {opened && <Decided record={record} />}
      </Modal>
    </>
  );
}

function Decided({ record }: { record: AuditRecord }) {
  const body = {
    agent_id: record.agent_id,
    tool_name: record.tool_name,
    operation: record.operation,
    parameters: record.parameters,
    ...(record.project_id !== null && { project_id: record.project_id }),
  };
  const query = useQuery({
    queryKey: ['validate', record.id],
    queryFn: () => answer(api.POST('/api/v1/tools/validate', { body })),
    staleTime: 0,
  });
  return (
    <>
      <Text size="sm" mb="md">
        {t.activity.whyAbout}
      </Text>
      <Loaded query={query} lines={2}>
        {(verdict) =>
          verdict.status === 'allowed' ? (
            <Alert color="green" variant="light" icon={<Icon name="check" />} title={t.activity.wouldAllow}>
              {verdict.requires_approval === true && <Untrusted>{verdict.reason ?? t.permissions.states.approval}</Untrusted>}
            </Alert>
          ) : (
            <Alert color="red" variant="light" icon={<Icon name="cross" />} title={t.activity.wouldRefuse}>
              <Text size="sm">
                <Untrusted>{verdict.reason}</Untrusted>
              </Text>
              <Text size="sm" mt="xs">
                <Untrusted>{verdict.suggestion}</Untrusted>
              </Text>
            </Alert>
          )
        }
      </Loaded>
    </>
  );
}
