import { Spotlight, useSpotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queries } from '../api/queries';
import { t } from '../strings';
import { Icon } from '../ui/Icon';
import { finderStore } from './finder';
import { visibleEntries } from './navigation';
import { useMay } from './session';

/** Finds any page, agent, group or tool by a part of its name. */
export function Search() {
  const navigate = useNavigate();
  const may = useMay();
  // Thousands of agents are fetched only to be searched.
  const { opened } = useSpotlight(finderStore);
  const readsAgents = opened && may('read_permissions');
  const { data: agents } = useQuery({ ...queries.agents, enabled: readsAgents });
  const { data: groups } = useQuery({ ...queries.groups, enabled: readsAgents });
  const { data: tools } = useQuery({ ...queries.tools, enabled: opened });
  const pages: SpotlightActionData[] = visibleEntries(may).map((entry) => ({
    id: `page ${entry.to}`,
    label: entry.label,
    leftSection: <Icon name={entry.icon} />,
    onClick: () => void navigate({ to: entry.to }),
  }));
  const found: SpotlightActionData[] = [
    ...(agents ?? []).map((agent) => ({
      id: `agent ${agent.agent_id}`,
      label: agent.agent_id,
      description: agent.name ?? t.agents.one,
      leftSection: <Icon name="agents" />,
      onClick: () => void navigate({ to: '/agents/$id', params: { id: agent.agent_id } }),
    })),
    ...(groups ?? []).map((group) => ({
      id: `group ${group.group_id}`,
      label: group.group_id,
      description: t.groups.one,
      leftSection: <Icon name="groups" />,
      onClick: () => void navigate({ to: '/groups/$id', params: { id: group.group_id } }),
    })),
    ...(tools ?? []).map((tool) => ({
      id: `tool ${tool.name}`,
      label: tool.name,
      description: t.tools.one,
      leftSection: <Icon name="tools" />,
      onClick: () => void navigate({ to: '/tools/$name', params: { name: tool.name } }),
    })),
  ];
  return (
    <Spotlight
      actions={[...pages, ...found]}
      store={finderStore}
      shortcut={null}
      limit={8}
      nothingFound={t.shell.nothingFound}
      searchProps={{
        placeholder: t.shell.searchAbout,
        'aria-label': t.shell.search,
        leftSection: <Icon name="search" />,
      }}
      highlightQuery
    />
  );
}
