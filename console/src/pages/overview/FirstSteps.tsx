import { Anchor, Button, Group, List, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Problem } from '../../ui/States';
import { runDemonstration } from './demonstration';

/** For an empty gate: a button that demonstrates an allowed, a denied and a held call. */
export function FirstSteps() {
  const may = useMay();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      await runDemonstration();
      await client.invalidateQueries();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const able = may('call_for_any_agent') && may('change_permissions');
  return (
    <Paper withBorder p="xl" maw={720}>
      <Title order={2} size="h3" mb="xs">
        {t.firstSteps.title}
      </Title>
      <Text c="dimmed" mb="md">
        {t.firstSteps.about}
      </Text>
      <List spacing="sm" mb="lg" center type="ordered" listStyleType="none" withPadding={false}>
        {t.firstSteps.steps.map((step, number) => (
          <List.Item
            key={step}
            icon={
              <ThemeIcon radius="xl" size={26} variant="light">
                {number + 1}
              </ThemeIcon>
            }
          >
            {step}
          </List.Item>
        ))}
      </List>
      {error !== null && <Problem error={error} />}
      <Group mt="md">
        {able ? (
          <Button loading={busy} onClick={() => void start()}>
            {t.firstSteps.start}
          </Button>
        ) : (
          <Text>{t.firstSteps.notAllowed}</Text>
        )}
        {may('read_permissions') && (
          <Anchor renderRoot={(props) => <Link to="/agents" {...props} />}>{t.firstSteps.own}</Anchor>
        )}
      </Group>
    </Paper>
  );
}
