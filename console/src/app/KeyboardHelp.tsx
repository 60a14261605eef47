import { Modal, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { t } from '../strings';
import { prefer, usePreferences } from './preferences';

/** All keyboard shortcuts, and the switch that turns single-key shortcuts off. */
export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { shortcuts } = usePreferences();
  return (
    <Modal opened={opened} onClose={onClose} title={t.shell.help} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        {t.keys.map((group) => (
          <div key={group.title}>
            <Title order={3} size="h5" mb={4}>
              {group.title}
            </Title>
            <Table withRowBorders={false} verticalSpacing={4}>
              <Table.Tbody>
                {group.keys.map(([key, meaning]) => (
                  <Table.Tr key={key}>
                    <Table.Td w={140}>
                      <kbd>{key}</kbd>
                    </Table.Td>
                    <Table.Td>{meaning}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        ))}
        <Switch
          label={t.settings.shortcuts}
          checked={shortcuts === 'on'}
          onChange={(event) => prefer({ shortcuts: event.currentTarget.checked ? 'on' : 'off' })}
        />
        <Text size="sm" c="dimmed">
          {t.settings.shortcutsAbout}
        </Text>
      </Stack>
    </Modal>
  );
}
