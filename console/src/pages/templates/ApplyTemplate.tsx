import { Modal, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../../api/queries';
import { t } from '../../strings';
import { Untrusted } from '../../ui/Untrusted';
import type { PermissionHolder } from '../agents/PermissionDialog';
import { TemplatePreview } from './TemplatePreview';

/** Chooses a template for an agent or a group, shows what it would add, and applies it. */
export function ApplyTemplate({ holder, onClose }: { holder: PermissionHolder; onClose: () => void }) {
  const { data: templates } = useQuery(queries.templates);
  const [template, setTemplate] = useState<string | null>(null);
  const chosen = templates?.find((each) => each.template_id === template);
  return (
    <Modal opened onClose={onClose} size="lg" title={t.agents.applyTemplate} closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        <Select
          label={t.agents.template}
          data-autofocus
          value={template}
          onChange={setTemplate}
          data={(templates ?? []).map((each) => ({ value: each.template_id, label: each.name }))}
        />
        <Text size="sm" c="dimmed" component="div">
          <Untrusted>{chosen?.description ?? ''}</Untrusted> {t.agents.applyAbout}
        </Text>
        {chosen !== undefined && (
          <TemplatePreview key={chosen.template_id} template={chosen} holder={holder} onApplied={onClose} />
        )}
      </Stack>
    </Modal>
  );
}
