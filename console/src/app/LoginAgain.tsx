import { Modal, Stack, Text } from '@mantine/core';
import type { WhoAmI } from '../api/types';
import { LoginForm, SingleSignOn } from '../pages/login/LoginPage';
import { t } from '../strings';

/** Asks for a key above the page when a log-in has ended. */
export function LoginAgain({ reason, onDone }: { reason: string; onDone: (who: WhoAmI) => void }) {
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} closeOnEscape={false} title={t.login.ended}>
      <Text mb="md">{reason}</Text>
      <Text mb="md" size="sm" c="dimmed">
        {t.login.kept}
      </Text>
      <Stack>
        <SingleSignOn aside />
        <LoginForm onDone={onDone} />
      </Stack>
    </Modal>
  );
}
