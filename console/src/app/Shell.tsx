import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  Menu,
  Stack,
  Text,
  Tooltip,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client';
import { useLive } from '../api/live';
import { t } from '../strings';
import { Icon } from '../ui/Icon';
import { Untrusted } from '../ui/Untrusted';
import { useBadge } from './badge';
import { finder } from './finder';
import { useLater } from './later';
import { visibleEntries } from './navigation';
import { usePreferences } from './preferences';
import { session, useMay, useWho } from './session';
import { useShortcuts } from './shortcuts';

const loadAside = () => import('./Aside').then((module) => module.Aside);

/** Navigation, search and help around every page. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const [help, setHelp] = useState(false);
  const may = useMay();
  const who = useWho();
  const client = useQueryClient();
  const Aside = useLater(loadAside);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(close, [path, close]);
  useLive('console', (what) => {
    const stale = what.flatMap((each) => (each === 'permissions' ? ['permissions', 'groups', 'agents'] : [each]));
    stale.forEach((key) => void client.invalidateQueries({ queryKey: [key] }));
  });
  useGoing();
  useShortcuts({ '?': () => setHelp(true) });
  useHotkeys([['mod + K', finder.open]]);
  const logOut = async () => {
    const { data } = await api.DELETE('/api/v1/console/session');
    client.clear();
    if (data?.sign_out_url === undefined) {
      session.leave(null);
    } else {
      window.location.assign(data.sign_out_url); // logs out at the identity provider too, which redirects back here
    }
  };
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 224, breakpoint: 'lg', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', lg: 'xl' }}
    >
      <a className="skip" href="#main">
        {t.shell.skip}
      </a>
      <AppShell.Header className="header">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="lg" size="sm" aria-label={t.shell.menu} />
            <Link to="/" className="brand">
              <img src="/console/assets/icon.svg" alt="" width={24} height={24} />
              <span>{t.product}</span>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button
              variant="default"
              size="xs"
              visibleFrom="sm"
              leftSection={<Icon name="search" size={15} />}
              rightSection={<kbd>{t.shell.searchKey}</kbd>}
              onClick={finder.open}
            >
              {t.shell.search}
            </Button>
            <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label={t.shell.search} onClick={finder.open}>
              <Icon name="search" />
            </ActionIcon>
            <SchemeButton />
            <Tooltip label={t.shell.help}>
              <ActionIcon variant="default" size="lg" aria-label={t.shell.help} onClick={() => setHelp(true)}>
                <Icon name="help" />
              </ActionIcon>
            </Tooltip>
            <Menu position="bottom-end" width={260}>
              <Menu.Target>
                <ActionIcon variant="default" size="lg" aria-label={t.shell.account}>
                  <Icon name="person" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>
                  <Text size="sm" fw={600}>
                    <Untrusted>{who.display_name ?? who.name}</Untrusted>
                  </Text>
                  {who.display_name !== undefined && (
                    <Text size="xs">
                      <Untrusted>{who.name}</Untrusted>
                    </Text>
                  )}
                  <Text size="xs">{t.shell.roleIn(who.role, who.tenant_id)}</Text>
                </Menu.Label>
                <Menu.Item onClick={() => void logOut()}>{t.shell.logOut}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t.shell.navigation} className="navbar">
        <Stack gap={2}>
          {visibleEntries(may).map((entry) => (
            <Link
              key={entry.to}
              to={entry.to}
              className="mantine-focus-auto nav"
              aria-current={(entry.to === '/' ? path === '/' : path.startsWith(entry.to)) ? 'page' : undefined}
            >
              <Icon name={entry.icon} />
              <span className="nav-label">
                <span>{entry.label}</span>
              </span>
              {entry.to === '/approvals' && <Waiting />}
            </Link>
          ))}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      {Aside !== null && <Aside help={help} onHelpClose={() => setHelp(false)} />}
    </AppShell>
  );
}

/** How many calls wait, beside the page that answers them. By itself, so that a new number renders nothing else. */
function Waiting() {
  const waiting = useBadge();
  useNotification(waiting);
  return waiting > 0 ? (
    <Badge size="sm" color="blue" variant="filled" className="nav-badge" aria-label={t.approvals.waitingCount(waiting)}>
      {waiting}
    </Badge>
  ) : null;
}

function SchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
  const icon = { auto: 'auto', light: 'sun', dark: 'moon' } as const;
  return (
    <Tooltip label={t.shell.schemes[colorScheme]}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t.shell.schemes[colorScheme]}
        onClick={() => setColorScheme(next[colorScheme])}
      >
        <Icon name={icon[colorScheme]} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Shortcuts of g and a letter, which open a page. */
function useGoing(): void {
  const navigate = useNavigate();
  const may = useMay();
  useShortcuts(
    Object.fromEntries(visibleEntries(may).map((entry) => [`g ${entry.key}`, () => void navigate({ to: entry.to })])),
  );
}

/** A system notification if more calls wait than before, without any details of them. */
function useNotification(waiting: number): void {
  const { notify } = usePreferences();
  const before = useRef(waiting);
  useEffect(() => {
    const more = waiting > before.current;
    before.current = waiting;
    if (more && notify === 'on' && document.hidden && Notification.permission === 'granted') {
      new Notification(t.product, { body: t.approvals.waitingCount(waiting), tag: 'toolgate-approvals' });
    }
  }, [waiting, notify]);
}
